// Requests per second of /healthz with three checks that have nothing to do, beside node's own server answering the same bytes.

import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { median, row, type Row } from './report.js';

const ROUNDS = 5;
const SECONDS = 2;

/** Measures in turn, so that all see the same machine. */
export async function benchHealthz(): Promise<Row[]> {
  const bare = await startServer('bare');
  const rows = [];
  for (const [kind, budget] of [
    ['instant', 'the budget of the design'],
    ['async', 'asked of checks that return promises, too'],
  ] as const) {
    const agent = await startServer(kind);
    const { ratio, rate } = await compare(agent.port, bare.port);
    agent.child.kill();
    const what = `/healthz, 3 ${kind} checks, against bare node:http`;
    rows.push(row(what, ratio, '>=', 0.5, `${Math.round(rate)} requests/s; ${budget}`));
  }
  bare.child.kill();
  return rows;
}

async function compare(agent: number, bare: number): Promise<{ ratio: number; rate: number }> {
  const ratios: number[] = [];
  const rates: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const reference = await load(bare);
    const measured = await load(agent);
    // The first round warms both up.
    if (round === 0) continue;
    ratios.push(measured / reference);
    rates.push(measured);
  }
  return { ratio: median(ratios), rate: median(rates) };
}

async function startServer(name: string): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(fileURLToPath(new URL('servers.js', import.meta.url)), [name]);
  const [port] = (await once(child, 'message')) as [number];
  return { child, port };
}

async function load(port: number): Promise<number> {
  const { requests, errors, non2xx } = await autocannon({
    url: `http://127.0.0.1:${port}/healthz`,
    connections: 10,
    duration: SECONDS,
  });
  if (errors > 0 || non2xx > 0) throw new Error(`${errors} errors and ${non2xx} answers other than 2xx`);
  return requests.average;
}
