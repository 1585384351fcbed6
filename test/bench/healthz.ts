// Requests per second of /healthz with three checks that return at once, compared with a plain restify route that sends the same
// bytes.

import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { messageOf } from './message.js';
import { median, row, type Row } from './report.js';

// Many short rounds, because the speed of a shared machine changes from second to second.
const ROUNDS = 40;
const SECONDS = 0.5;
/** Interval at which the load generator checks the end of a round, in milliseconds. */
const SAMPLE = 100;

const KINDS = [
  ['instant', 'checks that return at once'],
  ['async', 'checks that return resolved promises'],
] as const;

/** Loads all servers in turn, so that changes of the machine affect all of them. */
export async function benchHealthz(): Promise<Row[]> {
  const plain = await startServer('restify');
  const agents = await Promise.all(
    KINDS.map(async ([kind, note]) => {
      const server = await startServer(kind);
      return { kind, note, server, ratios: [] as number[], rates: [] as number[] };
    }),
  );
  for (let round = 0; round <= ROUNDS; round += 1) {
    const reference = await load(plain.port);
    for (const { server, ratios, rates } of agents) {
      const rate = await load(server.port);
      // The first round is a warm-up.
      if (round === 0) continue;
      ratios.push(rate / reference);
      rates.push(rate);
    }
  }
  for (const { child } of [plain, ...agents.map(({ server }) => server)]) child.kill();
  return agents.map(({ kind, note, ratios, rates }) =>
    row(
      `/healthz, 3 ${kind} checks, against a plain restify route`,
      median(ratios),
      '>=',
      0.8,
      `${Math.round(median(rates))} requests/s; ${note}`,
    ),
  );
}

async function startServer(name: string): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(fileURLToPath(new URL('servers.js', import.meta.url)), [name]);
  const port = await messageOf<number>(child);
  return { child, port };
}

async function load(port: number): Promise<number> {
  const { requests, duration, errors, non2xx } = await autocannon({
    url: `http://127.0.0.1:${port}/healthz`,
    connections: 10,
    duration: SECONDS,
    sampleInt: SAMPLE,
  });
  if (errors > 0 || non2xx > 0) throw new Error(`${errors} errors and ${non2xx} responses other than 2xx`);
  return requests.total / duration;
}
