// Requests per second of /healthz with three checks that have nothing to do, beside node's own server answering the same bytes.

import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { median, row, type Row } from './report.js';

// Many short rounds: the speed of a shared machine changes from second to second.
const ROUNDS = 20;
const SECONDS = 0.5;
/** How often the generator looks whether the time is over, in milliseconds. */
const SAMPLE = 100;

/** What is asked, and by whom. */
const KINDS = [
  ['instant', 'checks that return at once'],
  ['async', 'checks that return promises, asked the same'],
] as const;

/** Measures in turn, so that all see the same machine. */
export async function benchHealthz(): Promise<Row[]> {
  const bare = await startServer('restify');
  const agents = await Promise.all(
    KINDS.map(async ([kind, why]) => {
      const server = await startServer(kind);
      return { kind, why, server, ratios: [] as number[], rates: [] as number[] };
    }),
  );
  for (let round = 0; round <= ROUNDS; round += 1) {
    const reference = await load(bare.port);
    for (const { server, ratios, rates } of agents) {
      const rate = await load(server.port);
      // The first round warms up.
      if (round === 0) continue;
      ratios.push(rate / reference);
      rates.push(rate);
    }
  }
  for (const { child } of [bare, ...agents.map(({ server }) => server)]) child.kill();
  return agents.map(({ kind, why, ratios, rates }) =>
    row(
      `/healthz, 3 ${kind} checks, against a plain restify route`,
      median(ratios),
      '>=',
      0.8,
      `${Math.round(median(rates))} requests/s; ${why}`,
    ),
  );
}

async function startServer(name: string): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(fileURLToPath(new URL('servers.js', import.meta.url)), [name]);
  const [port] = (await once(child, 'message')) as [number];
  return { child, port };
}

async function load(port: number): Promise<number> {
  const { requests, duration, errors, non2xx } = await autocannon({
    url: `http://127.0.0.1:${port}/healthz`,
    connections: 10,
    duration: SECONDS,
    sampleInt: SAMPLE,
  });
  if (errors > 0 || non2xx > 0) throw new Error(`${errors} errors and ${non2xx} answers other than 2xx`);
  return requests.total / duration;
}
