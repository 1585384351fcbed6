// Reads the config of a channel, and its last changes. Loaded when the first channel is found.

import type { X509Certificate } from 'node:crypto';
import { createYielder } from '../../../core/contract/index.js';
import type {
  ChangeDocument,
  ConfigBlock,
  ConfigDocument,
  ConsenterDocument,
  FindingDocument,
} from '../../../core/contract/internal/index.js';
import { hashOfKey, parseDuration } from '../../../core/kit/internal/index.js';
import {
  addressText,
  readConfigFile,
  channelOf,
  consentersOf,
  type Channel,
} from 'fabric-ops-agent/translator/channel';
import { blockBytes, Ledger, type StoredBlock } from 'fabric-ops-agent/translator/node';
import { changeTexts, logEntry, signerText } from 'fabric-ops-agent/translator/describe';
import { checkConfig } from 'fabric-ops-agent/translator/review';
import { channelCertificates, type ChannelCertificateUse } from 'fabric-ops-agent/translator/msp';
import { parseCertificate } from './certificate.js';

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
  /** Consenters: SHA-256 of the public key. */
  readonly key?: string;
}

/** The known members of a channel config. */
export interface KnownConfig {
  readonly certificates: readonly KnownCertificate[];
  /** The owners of certificates that do not parse. */
  readonly invalid: readonly string[];
  readonly isInMaintenance: boolean;
  /** The TLS CAs and intermediate TLS CAs of the organisation of the node; undefined: it is not in the channel. */
  readonly tlsCas: readonly X509Certificate[] | undefined;
  /** The consensus type. */
  readonly type: string;
  /** Their certificates are in {@link certificates}. */
  readonly consenters: readonly Omit<ConsenterDocument, 'certificates'>[];
  /** BFT: LeaderHeartbeatTimeout, in milliseconds; undefined: it is not a duration. */
  readonly leaderHeartbeatTimeout: number | undefined;
  /** The MSP ids of the organisations, sorted; the name of an organisation if its MSP does not parse. */
  readonly organisations: readonly string[];
  readonly capabilities: ConfigDocument['capabilities'];
  /** The findings of `configtxlator check`, except those that depend on the time. */
  readonly findings: readonly FindingDocument[];
}

/** Findings that the checker reports itself in each check (expiry, maintenance), and findings about joins: the node has already joined. */
const JUDGED_HERE = /-expired$|^maintenance-entered$|^join-refused$/;

/** The certificates that verify the TLS certificates of an organisation (Fabric: core/peer/configtx_processor.go and internal/pkg/comm). */
const TLS_CAS: ReadonlySet<ChannelCertificateUse> = new Set(['tls_ca', 'tls_intermediate_ca']);
/** Most certificates of one config. */
const MAX_CERTIFICATES = 10_000;
/** Most config blocks in which the start of the maintenance is searched: a migration has two. */
const MAX_MAINTENANCE = 20;
/** Most config blocks that are reported in one round. */
const MAX_CHANGES = 20;

/**
 * Reads a config block, and checks it as `configtxlator check` does.
 *
 * @param ownMspId the MSP id of the node; empty: unknown
 * @throws TranslateError if it does not parse
 */
export async function readConfig({ bytes }: ConfigBlock, ownMspId: string): Promise<KnownConfig> {
  const yieldIfDue = createYielder(1);
  const file = readConfigFile(bytes);
  await yieldIfDue();
  const embedded = channelCertificates(file.config);
  if (embedded.length > MAX_CERTIFICATES)
    throw new Error(`the config has more than ${MAX_CERTIFICATES} certificates`);
  const certificates = new Map<string, KnownCertificate>();
  const invalid: string[] = [];
  const tlsCas: X509Certificate[] = [];
  for (const { mspId = '', consenter = '', use, pem } of embedded) {
    await yieldIfDue();
    const certificate = parseCertificate(pem);
    if (certificate === undefined) {
      invalid.push(`${consenter || mspId} (${use})`);
      continue;
    }
    if (TLS_CAS.has(use) && mspId === ownMspId) tlsCas.push(certificate);
    // The same organisation may be in several groups of the channel.
    certificates.set(JSON.stringify([mspId, consenter, use, certificate.fingerprint256]), {
      organisation: mspId,
      consenter,
      use,
      // Node's types have string, but the value is undefined for a certificate with an empty name.
      subject: ((certificate.subject as string | undefined) ?? '').split('\n').join(', '),
      serial: certificate.serialNumber,
      notAfter: Date.parse(certificate.validTo),
      fingerprint: certificate.fingerprint256,
      ...(consenter !== '' && { key: hashOfKey(certificate) }),
    });
  }
  await yieldIfDue();
  const { findings } = await checkConfig(file, { now: new Date() });
  const channel = channelOf(file.config);
  const { orderer, application, consortiums = [] } = channel;
  const all = [...channel.organizations, ...consortiums.flatMap((each) => each.organizations)];
  const organisations = [...new Set(all.map(({ mspId, name }) => mspId ?? name))].toSorted();
  return {
    certificates: [...certificates.values()],
    invalid,
    isInMaintenance: orderer.isInMaintenance,
    type: orderer.consensus.type,
    consenters: consentersOf(channel).map((consenter) => ({
      address: addressText(consenter),
      id: consenter.id,
      organisation: consenter.mspId,
    })),
    leaderHeartbeatTimeout: leaderHeartbeatTimeoutOf(channel),
    organisations,
    tlsCas: organisations.includes(ownMspId) ? tlsCas : undefined,
    capabilities: {
      channel: [...channel.capabilities].toSorted(),
      orderer: [...orderer.capabilities].toSorted(),
      application: [...application.capabilities].toSorted(),
    },
    findings: findings
      .filter(({ id }) => !JUDGED_HERE.test(id))
      .map(({ id, severity, path, text, todo }) => ({ id, severity, path, text, todo })),
  };
}

function leaderHeartbeatTimeoutOf({ orderer }: Channel): number | undefined {
  try {
    return orderer.bftOptions && parseDuration(orderer.bftOptions.leaderHeartbeatTimeout);
  } catch {
    return undefined;
  }
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
): Promise<readonly ChangeDocument[]> {
  const changes: ChangeDocument[] = [];
  let newer: StoredBlock | undefined;
  for (const block of Ledger.open(directory).configs()) {
    if (newer !== undefined) changes.unshift(await changeIn(newer, block));
    newer = block.number > after && changes.length < most ? block : undefined;
    if (newer === undefined) return changes;
  }
  // The previous config is unknown: this is the first one, or the peer joined with a snapshot.
  if (newer !== undefined) changes.unshift(await changeIn(newer, undefined));
  return changes;
}

/**
 * The number of the config block with which the maintenance of a channel began, if its newest config is in maintenance; undefined: an older
 * one that is not in the ledger folder, or too many blocks ago.
 *
 * @throws TranslateError if a config block does not parse
 */
export async function maintenanceStart(directory: string): Promise<number | undefined> {
  const yieldIfDue = createYielder(1);
  let start: bigint | undefined;
  let count = 0;
  for (const block of Ledger.open(directory).configs()) {
    count += 1;
    if (count > MAX_MAINTENANCE) return undefined;
    if (!channelOf(readConfigFile(blockBytes(block)).config).orderer.isInMaintenance)
      return start === undefined ? undefined : Number(start);
    start = block.number;
    await yieldIfDue();
  }
  return start === 0n ? 0 : undefined;
}

async function changeIn(block: StoredBlock, previous: StoredBlock | undefined): Promise<ChangeDocument> {
  const entry = await logEntry(blockBytes(block), previous && blockBytes(previous));
  return {
    block: Number(entry.block),
    time: entry.time ?? undefined,
    fingerprint: entry.fingerprint ?? undefined,
    signers: entry.signers.map(signerText),
    submitter: entry.submitter === null ? undefined : signerText(entry.submitter),
    changes: changeTexts(entry),
  };
}
