// Checks which consenter of its channels an orderer is (Fabric: `detectSelfID` in orderer/consensus/etcdraft/consenter.go and
// orderer/consensus/smartbft/consenter.go). An orderer that is not a consenter starts as a follower.

import { X509Certificate } from 'node:crypto';
import { decodeAllPem, type Program } from 'fabric-ops-agent/translator/msp';
import { hashOfKey } from '../../common/certificates/chain.js';
import { readRegularBytes } from '../../common/files/regular-file.js';
import type { WithOrigin } from '../../common/text/with-origin.js';
import type { Found } from './cause.js';
import type { StoredChannel } from './channels.js';
import { signingCertificate } from './msp.js';
import type { PreflightNode } from './node.js';

/** Largest file with a certificate, in bytes. */
const MAX_FILE_SIZE = 1024 * 1024;

/** A certificate that identifies the orderer as a consenter. */
interface Own extends WithOrigin<string> {
  readonly what: string;
  readonly certificate: X509Certificate | undefined;
  /** The id that all certificates of the same consenter share. */
  readonly idOf: (certificate: X509Certificate) => string;
  readonly todo: string;
}

/** A warning for each certificate of an orderer that belongs to no consenter of its channels. */
export function consenterCauses(
  node: PreflightNode,
  channels: readonly StoredChannel[],
  program: Program,
): Found[] {
  if (node.kind === 'peer') return [];
  return [
    ...causesFor(tlsOf(node), channels, 'etcdraft'),
    ...causesFor(identityOf(node, program), channels, 'BFT'),
  ];
}

/** The TLS server certificate of the cluster. All versions compare the consenters of Raft by public key. */
function tlsOf(node: PreflightNode): Own {
  const cluster = node.path('General.Cluster.ServerCertificate');
  const file = cluster.value === '' ? node.path('General.TLS.Certificate') : cluster;
  return {
    ...file,
    what: 'TLS certificate',
    certificate: certificateIn(() => readRegularBytes(file.value, MAX_FILE_SIZE)),
    idOf: hashOfKey,
    todo: 'put the certificate of the consenter back, or one with the same key, or change the channel first: configtxlator consenter rotate BLOCK HOST:PORT --tls-cert FILE',
  };
}

/** The signing certificate. BFT compares whole certificates before 3.1.2, which is the first release with Go 1.25, and public keys since. */
function identityOf(node: PreflightNode, { go }: Program): Own {
  const isWhole = go === '1.23' || go === '1.24';
  const { path = '', bytes } = signingCertificate(node) ?? {};
  return {
    value: path,
    origin: path,
    what: 'signing certificate',
    certificate: bytes && certificateIn(() => bytes),
    idOf: isWhole ? ({ fingerprint256 }) => fingerprint256 : hashOfKey,
    todo: `put the certificate of the consenter back${isWhole ? '' : ', or one with the same key'}, or change the channel first: configtxlator consenter rotate BLOCK HOST:PORT --identity FILE`,
  };
}

function causesFor(
  { value, origin, what, certificate, idOf, todo }: Own,
  channels: readonly StoredChannel[],
  type: 'etcdraft' | 'BFT',
): Found[] {
  if (certificate === undefined) return [];
  const own = idOf(certificate);
  const names = channels.flatMap(({ name, channel }): string[] => {
    const ids = consenterIds(channel, type, idOf);
    return ids.length === 0 || ids.includes(own) ? [] : [name];
  });
  if (names.length === 0) return [];
  return [
    {
      id: 'consenter-unknown',
      severity: 'warning',
      says: '',
      means: `the ${what} ${value} belongs to no consenter of ${names.join(', ')}: the orderer starts, but only receives blocks as a follower`,
      where: origin,
      todo,
    },
  ];
}

/** The ids of the consenters; none if the channel has another consensus, or if they cannot be read. */
function consenterIds(
  { orderer }: StoredChannel['channel'],
  type: 'etcdraft' | 'BFT',
  idOf: Own['idOf'],
): readonly string[] {
  try {
    if (orderer.consensus.type !== type) return [];
    return orderer.consenters.map(({ identity, serverTlsCert }) =>
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
