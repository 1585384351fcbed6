// Checks whether a node can send its metrics to StatsD: it connects once at the start, also over UDP, and exits if it cannot (Fabric:
// core/operations/system.go and fabric-lib-go/common/operations, `startMetricsTickers`).

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect, isIP } from 'node:net';
import type { NodeValues } from '../../../config/index.js';
import { parseDuration } from '../../common/text/go-duration.js';
import type { WithOrigin } from '../../common/text/with-origin.js';
import { finding, type Finding } from './cause.js';
import { goText } from './files.js';
import { portNumber, splitAddress } from './go-address.js';

/** Longest wait for a connection, in milliseconds. */
const CONNECT_TIMEOUT = 3000;
const NETWORKS = /^(?:(?:udp|tcp)[46]?|unix|unixgram|unixpacket)$/;

/** Startup errors of the metrics settings. */
export async function metricsCauses(node: NodeValues, section: string): Promise<Finding[]> {
  return node.text(`${section}.provider`).value === 'statsd' ? statsdCauses(node, `${section}.statsd`) : [];
}

async function statsdCauses(node: NodeValues, section: string): Promise<Finding[]> {
  const network = node.text(`${section}.network`);
  if (!NETWORKS.test(network.value))
    return [
      finding('value-refused', network.origin, {
        value: network.value,
        prints: `unknown network ${network.value}`,
        allowed: 'udp or tcp',
      }),
    ];
  const address = node.text(`${section}.address`);
  const problem = await dialProblem(network.value, address.value);
  if (problem !== undefined)
    return [finding('statsd-unreachable', address.origin, { address: address.value, problem })];
  return intervalCauses(node.value(`${section}.writeInterval`), node.kind);
}

/** Half of the interval must be at least a nanosecond. */
function intervalCauses({ value, origin }: WithOrigin<unknown>, kind: NodeValues['kind']): Finding[] {
  return nanosecondsOf(value, kind) >= 2n ? [] : [finding('statsd-interval', origin, { value })];
}

/** A peer reads an invalid duration as 0, and a number without a unit as nanoseconds (cast, `ToDuration`); an orderer refuses both. */
function nanosecondsOf(value: unknown, kind: NodeValues['kind']): bigint {
  if (typeof value === 'number') return BigInt(Math.trunc(value));
  if (typeof value !== 'string') return 0n;
  const hasUnit = kind === 'orderer' || /[nsuµmh]/.test(value);
  const duration = parseDuration(hasUnit ? value : `${value}ns`);
  return 'error' in duration ? 0n : duration.nanoseconds;
}

/** Why a connection fails, in the words of Go's `net.Dial`; undefined if it succeeds. */
async function dialProblem(network: string, address: string): Promise<string | undefined> {
  const dial = `dial ${network}`;
  if (network.startsWith('unix')) {
    if (network === 'unix') return connectProblem(dial, address, () => connect(address));
    return existsSync(address) ? undefined : `${dial} ${address}: connect: no such file or directory`;
  }
  if (address === '') return `${dial}: missing address`;
  const parts = splitAddress(address);
  if ('problem' in parts) return `${dial}: ${parts.problem}`;
  const port = portNumber(parts.port, network);
  if ('problem' in port) return `${dial}: ${port.problem}`;
  // For Go, an empty host is this machine.
  const host = parts.host === '' ? '127.0.0.1' : parts.host;
  const [family = ''] = /[46]$/.exec(network) ?? [];
  if (family !== '' && isIP(host) !== 0 && isIP(host) !== Number(family))
    return `${dial}: address ${host}: no suitable address found`;
  if (network.startsWith('udp')) return udpProblem(dial, address, host, port.number);
  return connectProblem(dial, address, () => connect({ host, port: port.number, family: Number(family) }));
}

async function connectProblem(
  dial: string,
  address: string,
  open: () => ReturnType<typeof connect>,
): Promise<string | undefined> {
  const socket = open();
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_TIMEOUT) });
    return undefined;
  } catch (error) {
    return dialText(dial, address, error);
  } finally {
    socket.on('error', () => undefined).destroy();
  }
}

async function udpProblem(
  dial: string,
  address: string,
  host: string,
  port: number,
): Promise<string | undefined> {
  // Node refuses port 0, to which Go connects.
  if (port === 0) return undefined;
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  try {
    socket.connect(port, host);
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_TIMEOUT) });
    return undefined;
  } catch (error) {
    return dialText(dial, address, error);
  } finally {
    socket.on('error', () => undefined).close();
  }
}

/** Why a connection failed, in the words of Go. @param dial `dial` and the network */
export function dialText(dial: string, address: string, error: unknown): string {
  const { code = '', name } = error as NodeJS.ErrnoException;
  if (name === 'AbortError') return `${dial} ${address}: i/o timeout`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `${dial}: lookup ${splitHost(address)}`;
  return `${dial} ${address}: connect: ${goText(error)}`;
}

function splitHost(address: string): string {
  const parts = splitAddress(address);
  return 'host' in parts ? parts.host : address;
}
