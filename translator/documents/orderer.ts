// Summarises the ordering service of a channel: consenters, quorum, batches.

import { addressText, type OrdererGroup, bftQuorum, raftQuorum, type Consenter } from '../channel/index.js';
import { summariseCertificate, type CertificateSummary } from './certificate.js';

/** The ordering service. */
export interface OrdererSummary {
  /** `etcdraft`, `BFT`, `kafka` or `solo`. */
  readonly type: string;
  readonly maintenance: boolean;
  readonly consenters: readonly ConsenterSummary[];
  /** Absent without consenters. */
  readonly quorum?: Quorum;
  readonly kafkaBrokers: readonly string[];
  readonly batch: BatchSummary;
  /** The maximum number of channels, as a decimal number; `0`: no limit. */
  readonly maxChannels: string;
}

/** The quorum of a channel. */
export interface Quorum {
  readonly consenters: number;
  /** The number that must work. */
  readonly quorum: number;
  readonly mayFail: number;
}

/** The conditions to cut a block. */
interface BatchSummary {
  readonly maxMessageCount: number;
  /** Sizes in bytes. */
  readonly absoluteMaxBytes: number;
  readonly preferredMaxBytes: number;
  /** A duration, for example `2s`. */
  readonly timeout: string;
}

/** A consenter. */
export interface ConsenterSummary {
  /** Only with BFT. */
  readonly id?: number;
  readonly mspid?: string;
  /** `host:port` */
  readonly address: string;
  readonly clientTls: CertificateSummary;
  readonly serverTls: CertificateSummary;
  /** The certificate that signs blocks; only with BFT. */
  readonly identity?: CertificateSummary;
}

/** Summarises an Orderer group. */
export function summariseOrderer(orderer: OrdererGroup): OrdererSummary {
  const { type } = orderer.consensus;
  const consenters = orderer.consenters.map(summariseConsenter);
  return {
    type,
    maintenance: orderer.isInMaintenance,
    consenters,
    ...(consenters.length > 0 && { quorum: quorumOf(type, consenters.length) }),
    kafkaBrokers: orderer.kafkaBrokers,
    batch: { ...orderer.batchSize, timeout: orderer.batchTimeout },
    maxChannels: String(orderer.maxChannels),
  };
}

/** The quorum of etcdraft or BFT. */
export function quorumOf(type: string, consenters: number): Quorum {
  if (type === 'BFT') {
    const { quorum, faulty } = bftQuorum(consenters);
    return { consenters, quorum, mayFail: faulty };
  }
  const quorum = raftQuorum(consenters);
  return { consenters, quorum, mayFail: consenters - quorum };
}

/** `3 consenters, quorum 2: 1 may fail` */
export function quorumText({ consenters, quorum, mayFail }: Quorum): string {
  const count = consenters === 1 ? '1 consenter' : `${consenters} consenters`;
  return `${count}, quorum ${quorum}: ${mayFail === 0 ? 'none' : mayFail} may fail`;
}

function summariseConsenter(consenter: Consenter): ConsenterSummary {
  const common = {
    address: addressText(consenter),
    clientTls: summariseCertificate(consenter.clientTlsCert),
    serverTls: summariseCertificate(consenter.serverTlsCert),
  };
  if (consenter.identity === undefined) return common;
  const { id, mspId, identity } = consenter;
  return { id, mspid: mspId, ...common, identity: summariseCertificate(identity) };
}
