// Runs Docker engines that store everything in one directory and do not change the network of the machine.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { startDaemon, type Daemon } from './daemon.js';

/**
 * Starts an engine that stores its data in the directory.
 *
 * @param bridge whether it makes networks for containers: only in a network namespace of the test
 */
export async function startEngine(
  t: ExecutionContext,
  directory: string,
  args: readonly string[],
  isReady: () => Promise<unknown>,
  bridge = false,
): Promise<Daemon> {
  const data = join(directory, 'data');
  t.teardown(() => unmountAll(directory));
  // Each start has a new exec root: with the state of a killed engine, a new one may wait for the old containerd.
  const roots = [`--data-root=${data}`, `--exec-root=${mkdtempSync(join(directory, 'exec-'))}`];
  const rest = [
    `--pidfile=${join(directory, 'pid')}`,
    '--iptables=false',
    '--ip6tables=false',
    ...(bridge ? [] : ['--bridge=none']),
  ];
  return startDaemon(t, 'dockerd', [...roots, ...rest, ...args], isReady);
}

/** Unmounts what an engine leaves: the namespace of host networks and, if it was killed, the bind mount of its data directory. */
function unmountAll(directory: string): void {
  const targets = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
    .filter((target) => target.startsWith(`${directory}/`));
  for (const target of targets.toReversed()) spawnSync('umount', [target]);
}

/** Rejects unless an engine responds on the Unix socket. */
export function pingSocket(socketPath: string): Promise<void> {
  return new Promise((resolve, reject) => {
    request({ socketPath, path: '/_ping' }, (response) => {
      response.resume();
      response.on('end', () => (response.statusCode === 200 ? resolve() : reject(new Error('not ready'))));
    })
      .on('error', reject)
      .end();
  });
}
