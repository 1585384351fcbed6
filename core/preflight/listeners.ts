// The addresses that a node listens on: each is listened on for a moment. The ports of a node that runs already are its own.

import { once } from 'node:events';
import { createServer } from 'node:net';
import type { WithOrigin } from '../common/text/with-origin.js';
import type { Found } from './cause.js';
import { goText } from './files.js';
import type { PreflightNode } from './node.js';

/** An address, and what the program prints before the error of the system. */
interface Listener extends WithOrigin<string> {
  readonly name: string;
  readonly says: (problem: string) => string;
}

/** The addresses of a node that it cannot listen on. */
export async function listenerCauses(node: PreflightNode): Promise<Found[]> {
  const listeners = node.kind === 'peer' ? peerListeners(node) : ordererListeners(node);
  const found: Found[] = node.kind === 'peer' ? peerAddressCauses(node) : [];
  for (const listener of listeners) found.push(...(await listenerCause(listener)));
  return found;
}

/** Whether something listens on one of the addresses of a node. */
export async function isListening(node: PreflightNode): Promise<boolean> {
  return (await listenerCauses(node)).some(({ says }) => says.includes('address already in use'));
}

async function listenerCause({ name, value, origin, says }: Listener): Promise<Found[]> {
  const [, host = '', port] = /^(.*):(\d+)$/.exec(value) ?? [];
  if (port === undefined)
    return [
      {
        id: 'address-invalid',
        says: says(
          value === '' ? 'missing address' : `listen tcp: address ${value}: missing port in address`,
        ),
        means: `the address of ${name} has no port`,
        where: origin,
        todo: 'write it as host:port',
      },
    ];
  const problem = await listenProblem(host.replace(/^\[|\]$/g, ''), Number(port));
  if (problem === undefined) return [];
  const { code } = problem as NodeJS.ErrnoException;
  const isLookup = code === 'ENOTFOUND' || code === 'EAI_AGAIN';
  return [
    {
      id: code === 'EADDRINUSE' ? 'port-taken' : 'address-unusable',
      says: says(isLookup ? `listen tcp: lookup ${host}` : `listen tcp ${value}: bind: ${goText(problem)}`),
      means:
        code === 'EADDRINUSE'
          ? `another program listens on ${value}, the address of ${name}`
          : `${name} cannot listen on ${value}: ${isLookup ? 'the host name is unknown' : goText(problem)}`,
      where: origin,
      todo:
        code === 'EADDRINUSE'
          ? 'end that program (ss -ltnp shows it), or set another port'
          : 'set an address of this machine, and a port that the user of the node may listen on',
    },
  ];
}

async function listenProblem(host: string, port: number): Promise<unknown> {
  const server = createServer();
  try {
    server.listen({ port, exclusive: true, ...(host !== '' && { host }) });
    await once(server, 'listening');
    return undefined;
  } catch (error) {
    return error;
  } finally {
    server.close();
  }
}

function ordererListeners(node: PreflightNode): Listener[] {
  const port = node.text('General.ListenPort');
  const host = node.text('General.ListenAddress').value || '127.0.0.1';
  const operations = node.text('Operations.ListenAddress');
  const admin = node.text('Admin.ListenAddress');
  const profile = node.text('General.Profile.Address');
  const listeners: Listener[] = [
    {
      name: 'the operations endpoint',
      ...operations,
      value: operations.value || '127.0.0.1:0',
      says: (problem) => `failed to start operations subsystem: ${problem}`,
    },
    {
      name: 'the service',
      // An orderer takes 0 as unset, and of a number 16 bits.
      value: `${host}:${Number(port.value) & 0xffff || 7050}`,
      origin: port.origin,
      says: (problem) => `Failed to listen: ${problem}`,
    },
  ];
  listeners.push({
    name: 'the Admin endpoint',
    ...admin,
    value: admin.value || '127.0.0.1:0',
    says: (problem) => `failed to start admin server: ${problem}`,
  });
  if (node.isTrue('General.Profile.Enabled'))
    listeners.push({
      name: 'the profiling endpoint',
      ...profile,
      value: profile.value || '0.0.0.0:6060',
      says: (problem) => `Go pprof service failed: ${problem}`,
    });
  return listeners.filter(({ value }) => !value.endsWith(':0'));
}

function peerListeners(node: PreflightNode): Listener[] {
  const operations = node.text('operations.listenAddress');
  const service = node.text('peer.listenAddress');
  const chaincode = node.text('peer.chaincodeListenAddress');
  const [host = ''] = node.text('peer.address').value.split(':');
  const listeners: Listener[] = [
    {
      name: 'the operations endpoint',
      ...operations,
      value: operations.value || '127.0.0.1:0',
      says: (problem) => `failed to initialize operations subsystem: ${problem}`,
    },
    { name: 'the service', ...service, says: (problem) => `Failed to create peer server (${problem}` },
    {
      name: 'the chaincode endpoint',
      ...chaincode,
      value: chaincode.value || `${host}:7052`,
      says: (problem) => `Failed to create chaincode server: ${problem}`,
    },
  ];
  return listeners.filter(({ value }) => !value.endsWith(':0'));
}

function peerAddressCauses(node: PreflightNode): Found[] {
  const { value, origin } = node.text('peer.address');
  if (/^.*:\d+$/.test(value)) return [];
  return [
    {
      id: 'address-invalid',
      says: value === '' ? "peer.address isn't set" : `peer.address isn't in host:port format: ${value}`,
      means: 'the peer does not know its own address',
      where: origin,
      todo: 'set peer.address to host:port, as other nodes reach it',
    },
  ];
}
