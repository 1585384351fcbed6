// Whether the agent would listen on the address of a node, which would take the port from the node.

import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { untilAborted } from '../common/flow/until-aborted.js';
import { formatHostPort, isAnyHost, type HostPort } from '../common/text/host-port.js';
import { SettingsError, type BesideNode, type LoadedSettings } from '../../config/index.js';

/** Longest lookup of a host name, in milliseconds. */
const LOOKUP_TIMEOUT = 2000;

/**
 * Checks that no node has the address of the agent. Host names are looked up; names that cannot be resolved are skipped.
 *
 * @throws SettingsError
 */
export async function checkNodeAddresses({ settings, effective, nodes }: LoadedSettings): Promise<void> {
  const { listenAddress } = settings.operations;
  const samePort = nodes.filter(({ listenAddress: { port } }) => port !== 0 && port === listenAddress.port);
  const shared = await Promise.all(samePort.map((node) => overlaps(listenAddress, node.listenAddress)));
  const origin = effective.get('operations.listenAddress')?.origin ?? 'default';
  const problems = samePort
    .filter((_, index) => shared[index])
    .map((node) => problemOf(origin, listenAddress, node));
  if (problems.length > 0) throw new SettingsError(problems);
}

function problemOf(origin: string, own: HostPort, { name, address, listenAddress }: BesideNode): string {
  return `${origin}: operations.listenAddress: ${formatHostPort(own)} is the address of the node ${name}, which listens on ${formatHostPort(listenAddress)} (${address.origin}); set another port for this service`;
}

/** Whether two addresses with the same port cannot be listened on at the same time. */
async function overlaps(own: HostPort, node: HostPort): Promise<boolean> {
  if (isAnyHost(node.host)) return true;
  const nodeHosts = await resolveHost(node.host);
  if (isAnyHost(own.host)) return nodeHosts.some(isOfThisMachine);
  const ownHosts = await resolveHost(own.host);
  return nodeHosts.some((host) => ownHosts.includes(host));
}

async function resolveHost(host: string): Promise<string[]> {
  if (isIP(host) !== 0) return [host];
  // Must not depend on the resolver.
  if (host === 'localhost') return ['127.0.0.1', '::1'];
  try {
    const found = await untilAborted(lookup(host, { all: true }), AbortSignal.timeout(LOOKUP_TIMEOUT));
    return found.map(({ address }) => address);
  } catch {
    return [];
  }
}

function isOfThisMachine(address: string): boolean {
  if (address.startsWith('127.') || address === '::1') return true;
  return Object.values(networkInterfaces()).some((each) => each?.some((one) => one.address === address));
}
