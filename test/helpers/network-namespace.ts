// Starts programs in a network namespace of their own, in which all ports are free and only loopback is up.

import { spawnSync } from 'node:child_process';

// A peer does not start without an IPv4 address other than loopback.
const SET_UP = 'ip link set lo up && ip address add 10.0.0.1/32 dev lo && exec "$@"';
const NETWORK = ['--net', '--', 'sh', '-c', SET_UP, 'sh'];
const UNSHARE = ['unshare', ...(process.getuid?.() === 0 ? [] : ['--map-root-user']), ...NETWORK];

/** Whether this machine can create network namespaces. */
export const HAS_NETWORK_NAMESPACE = spawnSync('unshare', [...UNSHARE.slice(1), 'true']).status === 0;

/** Returns a command that runs the command in a new network namespace; the same command if the machine cannot create one. */
export function inNetworkNamespace(command: readonly string[]): readonly string[] {
  return HAS_NETWORK_NAMESPACE ? [...UNSHARE, ...command] : command;
}
