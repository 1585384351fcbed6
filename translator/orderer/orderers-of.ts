// The addresses of a channel's orderers, from its config.

import { is, requireTypes } from '../../proto/arguments.js';
import { joinBytes } from '../../proto/bytes.js';
import { TranslateError } from '../../proto/errors.js';
import {
  addressText,
  isHostAndPort,
  type Config,
  channelOf,
  ordererEndpoints,
  type Organization,
  bftQuorum,
  raftQuorum,
  type Consenter,
} from '../channel/index.js';
import { readX509Msp } from '../msp/index.js';
import type { Orderer } from './connection.js';

/** An orderer of a channel. */
export interface OrdererPlace {
  /** `host:port` */
  readonly address: string;
  /** The CAs of its TLS certificate, in PEM. */
  readonly cas: Uint8Array;
}

/** The orderers of a channel: the endpoints of the organisations, or the addresses of the channel. */
export const orderersOf = (config: Config): readonly OrdererPlace[] =>
  ordererEndpoints(channelOf(config)).map(({ address, organizations }) => ({
    address,
    cas: tlsCasOf(organizations),
  }));

/** Opens an orderer. @param cas of its TLS certificate, in PEM */
export type OpenOrderer = (address: string, cas: Uint8Array) => Promise<Orderer>;

/** Opens an orderer in a config. If it cannot be opened, calls of it fail. */
export async function openPlace({ address, cas }: OrdererPlace, open: OpenOrderer): Promise<Orderer> {
  if (!isHostAndPort(address)) return unusable(address, 'its address in the config is not HOST:PORT');
  try {
    return await open(address, cas);
  } catch (error) {
    return unusable(address, `its TLS CAs in the config cannot be used: ${(error as Error).message}`);
  }
}

/** An orderer with calls that always fail. */
export function unusable(address: string, reason: string): Orderer {
  const fail = async (): Promise<never> => {
    throw new TranslateError('UNREACHABLE', reason);
  };
  return { address, deliver: fail, broadcast: fail, close: () => undefined };
}

/** The number of orderers that must have a block before it is safe: more than half of them, or with BFT a quorum. */
export function neededOf(config: Config, orderers: number): number {
  const { isBft } = channelOf(config).orderer;
  return isBft ? bftQuorum(orderers).quorum : raftQuorum(orderers);
}

/** The consenters at a list of addresses. */
interface Support {
  readonly serving: number;
  readonly consenters: number;
  /** The number of consenters that may be faulty, and so lie: 0 without BFT. */
  readonly faulty: number;
  /** The addresses without a consenter in the config. */
  readonly others: readonly string[];
  /**
   * Whether at least one of them must be honest: they are more than half of the consenters, or with BFT one more than may be faulty and
   * from as many organisations, or from all if there are fewer.
   */
  readonly isEnough: boolean;
}

/** The consenter at an address. If the port differs, a consenter that is the only one on the host is returned; undefined if unknown. */
export function consenterAt(consenters: readonly Consenter[], address: string): Consenter | undefined {
  requireTypes({ consenters, address }, { consenters: is.list(is.record({})), address: is.text });
  const host = address.slice(0, address.lastIndexOf(':'));
  const sameHost = consenters.filter((each) => addressText(each).startsWith(`${host}:`));
  return (
    consenters.find((each) => addressText(each) === address) ??
    (sameHost.length === 1 ? sameHost[0] : undefined)
  );
}

/** Counts the consenters at some addresses, each once. */
export function supportOf(config: Config, addresses: readonly string[]): Support {
  const { isBft, consenters } = channelOf(config).orderer;
  const found = new Set<Consenter>();
  const others: string[] = [];
  for (const address of addresses) {
    const consenter = consenterAt(consenters, address);
    if (consenter === undefined) others.push(address);
    else found.add(consenter);
  }
  const faulty = isBft ? bftQuorum(consenters.length).faulty : 0;
  const counts = { serving: found.size, consenters: consenters.length, faulty, others };
  if (!isBft)
    return { ...counts, isEnough: consenters.length > 0 && found.size >= raftQuorum(consenters.length) };
  const needed = faulty + 1;
  const organizationsOf = (some: Iterable<Consenter>): number =>
    new Set([...some].map(({ mspId }) => mspId)).size;
  const isDiverse = organizationsOf(found) >= Math.min(needed, organizationsOf(consenters));
  return { ...counts, isEnough: consenters.length > 0 && found.size >= needed && isDiverse };
}

const NEWLINE = new Uint8Array([0x0a]);

function tlsCasOf(organizations: readonly Organization[]): Uint8Array {
  const certificates = organizations.flatMap(({ msp }) => {
    const config = msp === undefined ? undefined : readX509Msp(msp);
    return config === undefined ? [] : [...config.tlsRoots, ...config.tlsIntermediates];
  });
  return joinBytes(certificates.flatMap((each) => [each, NEWLINE]));
}
