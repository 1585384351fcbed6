// Runs real Docker engines that keep to a folder and leave the network of the machine alone.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { startDaemon, type Daemon } from './daemon.js';

/** Starts an engine; its data is in the folder. */
export async function startEngine(
  t: ExecutionContext,
  folder: string,
  args: readonly string[],
  isReady: () => Promise<unknown>,
): Promise<Daemon> {
  const data = join(folder, 'data');
  t.teardown(() => unmountAll(folder));
  // Each start has a folder of its own for its state: one that finds the state of an engine that was killed may wait for
  // what is left of that one's containerd.
  const own = [`--data-root=${data}`, `--exec-root=${mkdtempSync(join(folder, 'exec-'))}`];
  const rest = [`--pidfile=${join(folder, 'pid')}`, '--iptables=false', '--ip6tables=false', '--bridge=none'];
  return startDaemon(t, 'dockerd', [...own, ...rest, ...args], isReady);
}

/** An engine leaves the namespace of host networks mounted, and one that was killed its data folder, on itself. */
function unmountAll(folder: string): void {
  const targets = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
    .filter((target) => target.startsWith(`${folder}/`));
  for (const target of targets.toReversed()) spawnSync('umount', [target]);
}

/** Rejects while no engine answers on a unix socket. */
export function pingSocket(socketPath: string): Promise<void> {
  return new Promise((resolve, reject) => {
    request({ socketPath, path: '/_ping' }, (answer) => {
      answer.resume();
      answer.on('end', () => (answer.statusCode === 200 ? resolve() : reject(new Error('not ready'))));
    })
      .on('error', reject)
      .end();
  });
}
