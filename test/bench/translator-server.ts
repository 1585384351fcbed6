// Starts a configtxlator: ours, or another one.

import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** How to run a configtxlator: a program and the arguments that precede the command. */
export type Command = readonly [program: string, ...first: string[]];

export const OURS: Command = [
  process.execPath,
  fileURLToPath(new URL('../../configtxlator/main.cjs', import.meta.url)),
];

/** A service that listens on a port of 127.0.0.1. */
export interface Service {
  readonly child: ChildProcess;
  readonly port: number;
}

/** Starts a service and waits until it reports its address. @param flags further flags of `start` */
export async function startService(
  [program, ...first]: Command,
  flags: readonly string[] = [],
): Promise<Service> {
  const args = [...first, 'start', '--hostname', '127.0.0.1', '--port', '0', ...flags];
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  for await (const line of createInterface({ input: child.stderr })) {
    const port = /requests on 127\.0\.0\.1:(\d+)/.exec(line)?.[1];
    if (port === undefined) continue;
    child.stderr.resume();
    return { child, port: Number(port) };
  }
  throw new Error(`${program} did not report its address`);
}
