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

/** Longest time until a service reports its address, in milliseconds. */
const START_TIMEOUT = 60_000;

/**
 * Starts a service and waits until it reports its address.
 *
 * @param flags further flags of `start`
 * @throws Error with the standard error of the service when it does not report an address
 */
async function startService([program, ...first]: Command, flags: readonly string[] = []): Promise<Service> {
  const args = [...first, 'start', '--hostname', '127.0.0.1', '--port', '0', ...flags];
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  // After the error the standard error of the process ends.
  child.on('error', ({ message }) => (log += message));
  const timeout = setTimeout(() => child.kill(), START_TIMEOUT);
  try {
    for await (const line of createInterface({ input: child.stderr })) {
      log += `${line}\n`;
      const port = /requests on 127\.0\.0\.1:(\d+)/.exec(line)?.[1];
      if (port === undefined) continue;
      child.stderr.resume();
      return { child, port: Number(port) };
    }
  } finally {
    clearTimeout(timeout);
  }
  child.kill();
  throw new Error(`${program} did not report its address: ${log}`);
}

/** Starts services with the flags of each, calls a function, and stops them, also when something fails. */
export async function withServices<T>(
  services: readonly (readonly [command: Command, flags?: readonly string[]])[],
  work: (...services: readonly Service[]) => Promise<T>,
): Promise<T> {
  const started: Service[] = [];
  try {
    for (const [command, flags] of services) started.push(await startService(command, flags));
    return await work(...started);
  } finally {
    for (const { child } of started) child.kill();
  }
}
