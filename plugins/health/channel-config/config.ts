// What the checker keeps of a config, and the history of a channel. Loaded when the first channel is found.

import { createHash, X509Certificate } from 'node:crypto';
import { readConfigFile, channelOf } from 'fabric-ops-agent/translator/channel';
import { blockBytes, Ledger, type StoredBlock } from 'fabric-ops-agent/translator/ledger';
import { logEntry, logText } from 'fabric-ops-agent/translator/log';
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
/** Most config blocks of one round that are logged. */
const MAX_LOGGED = 20;

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

/** What changed, and who signed, in the config blocks after one; oldest first, at most 20. @throws TranslateError */
export async function changesAfter(directory: string, after: bigint): Promise<readonly string[]> {
  const texts: string[] = [];
  let newer: StoredBlock | undefined;
  for (const block of Ledger.open(directory).configs()) {
    if (newer !== undefined)
      texts.unshift(lineOf(logText(await logEntry(blockBytes(newer), blockBytes(block)))));
    if (block.number <= after || texts.length === MAX_LOGGED) break;
    newer = block;
  }
  return texts;
}

/** The lines of an entry in one. */
const lineOf = (text: string): string =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.trim())
    .join('; ');
