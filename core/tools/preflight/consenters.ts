// Checks which consenter of its channels an orderer is (Fabric: `detectSelfID` in orderer/consensus/etcdraft/consenter.go and
// orderer/consensus/smartbft/consenter.go). An orderer that is not a consenter starts as a follower.

import { X509Certificate } from 'node:crypto';
import { decodeAllPem } from '../../common/certificates/pem.js';
import type { Program } from 'fabric-ops-agent/translator/msp';
import type { NodeValues } from '../../../config/index.js';
import type { StoredChannel } from '../../fabric/stored-channel.js';
import { hashOfKey } from '../../common/certificates/chain.js';
import { readRegularBytes } from '../../common/files/regular-file.js';
import type { WithOrigin } from '../../common/text/with-origin.js';
import { finding, type Finding } from './cause.js';
import { signingCertificate } from './msp.js';
import type { RaftChannel } from './raft.js';

/** Largest file with a certificate, in bytes. */
const MAX_FILE_SIZE = 1024 * 1024;

/** A certificate that identifies the orderer as a consenter. */
interface Own extends WithOrigin<string> {
  readonly use: 'TLS' | 'signing';
  readonly certificate: X509Certificate | undefined;
  /** The id that all certificates of the same consenter share. */
  readonly idOf: (certificate: X509Certificate) => string;
  /** Whether the id is of the whole certificate, not only of its key. */
  readonly isWhole: boolean;
}

/** A warning for each certificate of an orderer that belongs to no consenter of its channels. */
export function consenterCauses(
  node: NodeValues,
  channels: readonly StoredChannel[],
  program: Program,
): Finding[] {
  if (node.kind === 'peer') return [];
  return [
    ...causesFor(tlsOf(node), channels, 'etcdraft'),
    ...causesFor(identityOf(node, program), channels, 'BFT'),
  ];
}

/** The channels with Raft of which an orderer is a consenter; also those where this cannot be decided. */
export function raftChannels(node: NodeValues, channels: readonly StoredChannel[]): RaftChannel[] {
  if (node.kind === 'peer') return [];
  const { certificate, idOf } = tlsOf(node);
  return channels.flatMap(({ name, folder, channel }): RaftChannel[] => {
    if (typeOf(channel) !== 'etcdraft') return [];
    const ids = consenterIds(channel, 'etcdraft', idOf);
    const isOther = certificate !== undefined && ids.length > 0 && !ids.includes(idOf(certificate));
    return isOther ? [] : [{ name, folder, consenters: ids.length }];
  });
}

function typeOf({ orderer }: StoredChannel['channel']): string {
  try {
    return orderer.consensus.type;
  } catch {
    return '';
  }
}

/** The TLS server certificate of the cluster. All versions compare the consenters of Raft by public key. */
function tlsOf(node: NodeValues): Own {
  const cluster = node.path('General.Cluster.ServerCertificate');
  const file = cluster.value === '' ? node.path('General.TLS.Certificate') : cluster;
  return {
    ...file,
    use: 'TLS',
    certificate: certificateIn(() => readRegularBytes(file.value, MAX_FILE_SIZE)),
    idOf: hashOfKey,
    isWhole: false,
  };
}

/** The signing certificate. BFT compares whole certificates before 3.1.2, which is the first release with Go 1.25, and public keys since. */
function identityOf(node: NodeValues, { go }: Program): Own {
  const isWhole = go === '1.23' || go === '1.24';
  const { path = '', bytes } = signingCertificate(node) ?? {};
  return {
    value: path,
    origin: path,
    use: 'signing',
    certificate: bytes && certificateIn(() => bytes),
    idOf: isWhole ? ({ fingerprint256 }) => fingerprint256 : hashOfKey,
    isWhole,
  };
}

function causesFor(
  { value, origin, use, certificate, idOf, isWhole }: Own,
  channels: readonly StoredChannel[],
  type: 'etcdraft' | 'BFT',
): Finding[] {
  if (certificate === undefined) return [];
  const own = idOf(certificate);
  const names = channels.flatMap(({ name, channel }): string[] => {
    const ids = consenterIds(channel, type, idOf);
    return ids.length === 0 || ids.includes(own) ? [] : [name];
  });
  return names.length === 0
    ? []
    : [finding('consenter-unknown', origin, { use, path: value, channels: names, isWhole })];
}

/** The ids of the consenters; none if the channel has another consensus, or if they cannot be read. */
function consenterIds(
  channel: StoredChannel['channel'],
  type: 'etcdraft' | 'BFT',
  idOf: Own['idOf'],
): readonly string[] {
  if (typeOf(channel) !== type) return [];
  try {
    return channel.orderer.consenters.map(({ identity, serverTlsCert }) =>
      idOf(new X509Certificate(identity ?? serverTlsCert)),
    );
  } catch {
    return [];
  }
}

function certificateIn(read: () => Uint8Array): X509Certificate | undefined {
  try {
    const first = decodeAllPem(read(), 100).find(({ label }) => label === 'CERTIFICATE');
    return first && new X509Certificate(first.bytes);
  } catch {
    return undefined;
  }
}
