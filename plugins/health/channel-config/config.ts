// What the checker keeps of a config, and the history of a channel. Loaded when the first channel is found.

import { createHash, X509Certificate } from 'node:crypto';
import { readConfigFile, channelOf } from 'fabric-ops-agent/translator/channel';
import { blockBytes, Ledger, type StoredBlock } from 'fabric-ops-agent/translator/ledger';
import { changeTexts, logEntry, signerText } from 'fabric-ops-agent/translator/log';
import { channelCertificates, type ChannelCertificateUse } from 'fabric-ops-agent/translator/msp';

/** A certificate of a channel. Times are milliseconds since the epoch. */
export interface KnownCertificate {
  /** The MSP id; empty for a consenter of Raft. */
  readonly organisation: string;
  /** `host:port`; empty for a certificate of an MSP. */
  readonly consenter: string;
  readonly use: ChannelCertificateUse;
  readonly subject: string;
  readonly serial: string;
  readonly notAfter: number;
  readonly fingerprint: string;
}

/** Something harmful in a config. */
export interface Danger {
  readonly id: string;
  readonly reason: string;
}

/** What is kept of a config. */
export interface ConfigFacts {
  readonly certificates: readonly KnownCertificate[];
  /** The owners of certificates that do not parse. */
  readonly invalid: readonly string[];
  readonly isInMaintenance: boolean;
  /** SHA-256 of the public keys of the TLS servers of the consenters. */
  readonly consenterKeys: ReadonlySet<string>;
  readonly dangers: readonly Danger[];
}

/** Findings about the time, which is judged in each check, and about what is reported as such. */
const JUDGED_HERE = /-expired$|^maintenance-entered$/;

/** Most certificates of one config. */
const MAX_CERTIFICATES = 10_000;
/** Most config blocks of one round that are reported. */
const MAX_CHANGES = 20;

/** Reads a config block, and checks it as `configtxlator check` does. @throws TranslateError if it does not parse */
export async function readFacts(block: StoredBlock): Promise<ConfigFacts> {
  const file = readConfigFile(blockBytes(block));
  const embedded = channelCertificates(file.config);
  if (embedded.length > MAX_CERTIFICATES)
    throw new Error(`the config has more than ${MAX_CERTIFICATES} certificates`);
  const certificates = new Map<string, KnownCertificate>();
  const invalid: string[] = [];
  const consenterKeys = new Set<string>();
  for (const { mspId = '', consenter = '', use, pem } of embedded) {
    const certificate = parseCertificate(pem);
    if (certificate === undefined) {
      invalid.push(`${consenter || mspId} (${use})`);
      continue;
    }
    if (use === 'consenter_server_tls') consenterKeys.add(keyOf(certificate));
    // An organisation may be in several groups of the channel.
    certificates.set(JSON.stringify([mspId, consenter, use, certificate.fingerprint256]), {
      organisation: mspId,
      consenter,
      use,
      // Node's types have string, but the value is undefined for a certificate with an empty name.
      subject: ((certificate.subject as string | undefined) ?? '').split('\n').join(', '),
      serial: certificate.serialNumber,
      notAfter: Date.parse(certificate.validTo),
      fingerprint: certificate.fingerprint256,
    });
  }
  const { checkConfig } = await import('fabric-ops-agent/translator/review');
  const { findings } = await checkConfig(file, { now: new Date() });
  return {
    certificates: [...certificates.values()],
    invalid,
    isInMaintenance: channelOf(file.config).orderer.isInMaintenance,
    consenterKeys,
    dangers: findings
      .filter(({ id, severity }) => severity !== 'warning' && !JUDGED_HERE.test(id))
      .map(({ id, path, text, todo }) => ({
        id,
        reason: `${path === '' ? '' : `${path}: `}${text}${todo === '' ? '' : `; ${todo}`}`,
      })),
  };
}

/** The public key of a certificate: a renewed certificate with the same key is that of the same consenter. */
export const keyOf = ({ publicKey }: X509Certificate): string =>
  createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex');

export function parseCertificate(pem: Uint8Array): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

/** A config block: what changed, and who signed. Texts are on one line each. */
export interface ConfigChange {
  readonly block: string;
  /** ISO 8601; empty: unknown. */
  readonly time: string;
  /** Of the update; empty for the first block. */
  readonly fingerprint: string;
  readonly signers: readonly string[];
  /** Empty for the first block. */
  readonly submitter: string;
  /** At least one. */
  readonly changes: readonly string[];
}

/**
 * The last config blocks of a channel, oldest first.
 *
 * @param after only blocks after this one
 * @throws TranslateError
 */
export async function lastChanges(
  directory: string,
  { after = -1n, most = MAX_CHANGES }: { readonly after?: bigint; readonly most?: number } = {},
): Promise<readonly ConfigChange[]> {
  const changes: ConfigChange[] = [];
  let newer: StoredBlock | undefined;
  for (const block of Ledger.open(directory).configs()) {
    if (newer !== undefined) changes.unshift(await changeIn(newer, block));
    newer = block.number > after && changes.length < most ? block : undefined;
    if (newer === undefined) return changes;
  }
  // The config before it is unknown: it is the first one, or the peer joined with a snapshot.
  if (newer !== undefined) changes.unshift(await changeIn(newer, undefined));
  return changes;
}

async function changeIn(block: StoredBlock, previous: StoredBlock | undefined): Promise<ConfigChange> {
  const entry = await logEntry(blockBytes(block), previous && blockBytes(previous));
  return {
    block: entry.block,
    time: entry.time ?? '',
    fingerprint: entry.fingerprint ?? '',
    signers: entry.signers.map(signerText),
    submitter: entry.submitter === null ? '' : signerText(entry.submitter),
    changes: changeTexts(entry).map((text) => text.replace('  ', ': ')),
  };
}
