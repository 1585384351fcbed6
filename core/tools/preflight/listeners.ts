// Checks the addresses of a node by listening on each of them for a moment. A running node occupies its own ports.

import { once } from 'node:events';
import { createServer } from 'node:net';
import type { NodeValues } from '../../../config/index.js';
import type { WithOrigin } from '../../common/text/with-origin.js';
import { finding, type Finding } from './cause.js';
import { goText } from './files.js';
import { isUnspecified, portNumber, splitAddress } from './go-address.js';

/** An address, and the message of the program for an error of the system. */
interface Listener extends WithOrigin<string> {
  readonly name: string;
  readonly prints: (problem: string) => string;
}

/** Startup errors of the addresses that a node listens on. */
export async function listenerCauses(node: NodeValues): Promise<Finding[]> {
  const listeners = node.kind === 'peer' ? peerListeners(node) : ordererListeners(node);
  const found: Finding[] =
    node.kind === 'peer' ? [...peerAddressCauses(node), ...chaincodeAddressCauses(node)] : [];
  for (const listener of listeners)
    for (const each of await listenerCause(listener))
      if (!found.some(({ id, where }) => id === each.id && where === each.where)) found.push(each);
  return found;
}

/** Whether something listens on one of the addresses of a node. */
export async function isListening(node: NodeValues): Promise<boolean> {
  return (await listenerCauses(node)).some(({ id }) => id === 'port-taken');
}

async function listenerCause({ name, value, origin, prints }: Listener): Promise<Finding[]> {
  const parts = splitAddress(value);
  const port = 'problem' in parts ? parts : portNumber(parts.port, 'tcp');
  if ('problem' in parts || 'problem' in port) {
    const message = prints(
      value === '' ? 'missing address' : `listen tcp: ${(port as { problem: string }).problem}`,
    );
    return [finding('address-invalid', origin, { of: 'listener', name, value, message })];
  }
  const { host } = parts;
  const error = await listenProblem(host, port.number);
  if (error === undefined) return [];
  const { code } = error as NodeJS.ErrnoException;
  const problem = code === 'ENOTFOUND' || code === 'EAI_AGAIN' ? undefined : goText(error);
  const message = prints(
    problem === undefined ? `listen tcp: lookup ${host}` : `listen tcp ${value}: bind: ${problem}`,
  );
  return [
    code === 'EADDRINUSE'
      ? finding('port-taken', origin, { name, value, message })
      : finding('address-unusable', origin, { name, value, message, problem }),
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

function ordererListeners(node: NodeValues): Listener[] {
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
      prints: (problem) => `failed to start operations subsystem: ${problem}`,
    },
    {
      name: 'the service',
      // An orderer treats 0 as unset, and uses 16 bits of a number.
      value: `${host}:${Number(port.value) & 0xffff || 7050}`,
      origin: port.origin,
      prints: (problem) => `Failed to listen: ${problem}`,
    },
  ];
  listeners.push({
    name: 'the Admin endpoint',
    ...admin,
    value: admin.value || '127.0.0.1:0',
    prints: (problem) => `failed to start admin server: ${problem}`,
  });
  if (node.isTrue('General.Profile.Enabled'))
    listeners.push({
      name: 'the profiling endpoint',
      ...profile,
      value: profile.value || '0.0.0.0:6060',
      prints: (problem) => `Go pprof service failed: ${problem}`,
    });
  return listeners.filter(({ value }) => !/:0*$/.test(value));
}

function peerListeners(node: NodeValues): Listener[] {
  const operations = node.text('operations.listenAddress');
  const service = node.text('peer.listenAddress');
  const chaincode = node.text('peer.chaincodeListenAddress');
  const [host = ''] = node.text('peer.address').value.split(':');
  const listeners: Listener[] = [
    {
      name: 'the operations endpoint',
      ...operations,
      value: operations.value || '127.0.0.1:0',
      prints: (problem) => `failed to initialize operations subsystem: ${problem}`,
    },
    {
      name: 'the service',
      ...service,
      prints: (problem) =>
        `Failed to create peer server (${service.value === '' ? 'missing address parameter' : problem}`,
    },
    {
      name: 'the chaincode endpoint',
      ...chaincode,
      value: chaincode.value || `${isUnspecified(host) ? '' : host}:7052`,
      prints: (problem) => `Failed to create chaincode server: ${problem}`,
    },
  ];
  return listeners.filter(({ value }) => !/:0*$/.test(value));
}

/** The address that other nodes use for a peer (Fabric: core/peer/config.go, `getLocalAddress`; gossip/discovery, `validateSelfConfig`). */
function peerAddressCauses(node: NodeValues): Finding[] {
  const own = node.text('peer.address');
  const gossip = node.text('peer.gossip.endpoint');
  const endpoint = gossip.value === '' ? own : gossip;
  const ownProblem =
    own.value === ''
      ? "peer.address isn't set"
      : 'problem' in splitAddress(own.value) && `peer.address isn't in host:port format: ${own.value}`;
  const message = ownProblem || endpointProblem(endpoint.value);
  if (message === undefined) return [];
  const { origin } = ownProblem === false ? endpoint : own;
  return [finding('address-invalid', origin, { of: 'peer', message })];
}

/** Why gossip cannot use an address. A host that means all interfaces is replaced. */
function endpointProblem(address: string): string | undefined {
  const parts = splitAddress(address);
  if ('problem' in parts) return `failed obtaining gossip config: ${parts.problem}`;
  if (!/^[+-]?\d+$/.test(parts.port))
    return `failed obtaining gossip config: strconv.ParseInt: parsing "${parts.port}": invalid syntax`;
  if (parts.host.includes(':') && !isUnspecified(parts.host))
    return `Self endpoint ${address} isn't formatted as 'host:port'`;
  return Number(parts.port) > 65_535 ? `Self endpoint ${address}'s port takes more than 16 bits` : undefined;
}

/** The address that chaincode uses for a peer (Fabric: internal/peer/node/start.go, `computeChaincodeEndpoint`). */
function chaincodeAddressCauses(node: NodeValues): Finding[] {
  if (node.text('chaincode.mode').value === 'dev') return [];
  const own = node.text('peer.chaincodeAddress');
  const listen = node.text('peer.chaincodeListenAddress');
  const { value, origin } = own.value === '' ? listen : own;
  if (value === '') return [];
  const parts = splitAddress(value);
  const problem =
    'problem' in parts
      ? parts.problem
      : own.value !== '' && isUnspecified(parts.host)
        ? 'invalid endpoint for chaincode to connect'
        : undefined;
  return problem === undefined
    ? []
    : [finding('address-invalid', origin, { of: 'chaincode', value, problem })];
}
