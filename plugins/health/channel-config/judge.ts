// Judges the config of a channel.

import type { DetailedPart, NodeCertificate, SharedCause } from '../../../core/contract/internal/index.js';
import { onOneLine, periodText } from '../../../core/kit/index.js';
import type { KnownCertificate } from './config.js';
import type { ShownConfig } from './gauges.js';

/** The options and times that a config is judged by. */
export interface JudgedBy {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** How long each certificate must still be valid, in milliseconds. */
  readonly minimum: number;
  /** The TLS certificate of the node; undefined: unknown. */
  readonly own: NodeCertificate | undefined;
  /** The file with it, and the MSP id and the kind of the node. */
  readonly tlsCert: string;
  readonly mspid: string;
  readonly kind: string;
  /** The monitored nodes by the keys of their TLS certificates. */
  readonly holders: ReadonlyMap<string, NodeCertificate & { readonly name: string }>;
  /** Ids of findings that are accepted. */
  readonly allow: ReadonlySet<string>;
  /** Whether the agent has a verdict about the channel, which names the maintenance. */
  readonly hasVerdict: boolean;
}

/** The use of a certificate whose end stops the channel (Fabric: `setupSigningIdentity` in msp/mspimplsetup.go). */
const SIGNING_IDENTITY = 'signing_identity';

/** The advice for a certificate. */
function adviceOf(certificate: KnownCertificate, { holders }: JudgedBy): string {
  const { consenter, use, key = '', fingerprint, notAfter } = certificate;
  if (use === SIGNING_IDENTITY)
    return 'from then on orderers refuse all updates that keep it in the MSP, and cannot start; replace the MSP with configtxlator org set-msp';
  if (consenter === '') return 'replace it in the MSP with configtxlator org set-msp';
  const rotate = `configtxlator consenter rotate BLOCK ${consenter} --tls-cert FILE`;
  const held = holders.get(key);
  // Certificates with the same key are the same consenter (orderer/common/cluster/comm.go, `CertificatesWithSamePublicKey`).
  if (held !== undefined && held.fingerprint !== fingerprint && held.notAfter > notAfter)
    return `no action is needed: ${held.name} already has a certificate with the same key, which expires on ${timeText(held.notAfter)}; ${rotate} puts it into the channel and ends this warning`;
  return `renew it with the same key, or replace it with ${rotate}`;
}

const timeText = (time: number): string =>
  Number.isNaN(time) ? '' : new Date(time).toISOString().replace('.000', '');

/** The expiry of a certificate of a channel; undefined: it is valid for long enough. */
function expiryOf(
  channel: string,
  certificate: KnownCertificate,
  judgedBy: JudgedBy,
): { readonly reason: string; readonly isCritical: boolean; readonly cause: SharedCause } | undefined {
  const { now, minimum, own, holders } = judgedBy;
  const { consenter, organisation, use, fingerprint, notAfter, key = '' } = certificate;
  const left = notAfter - now;
  if (left >= minimum) return undefined;
  const subject = onOneLine(certificate.subject);
  const time = timeText(notAfter);
  const state = left < 0 ? `expired on ${time}` : `expires on ${time}, in ${periodText(left)}`;
  const advice = adviceOf(certificate, judgedBy);
  const node = holders.get(key)?.name;
  const holder = node === undefined ? consenter || organisation : `${node} (${consenter})`;
  return {
    reason: `${subject} ${state}: ${advice}`,
    isCritical:
      left < 0 && (use === SIGNING_IDENTITY || (consenter !== '' && fingerprint === own?.fingerprint)),
    cause: {
      id: `certificate ${fingerprint}`,
      reason: `${subject} of ${onOneLine(holder)} ${state}: ${advice}`,
      place: channel,
      use,
      // The certificates of a consenter are in its own files; those of an MSP are replaced in the channel.
      isMain: consenter === '' || key === own?.key,
    },
  };
}

/** The parts of a channel that fail. Several reasons for one part are joined. */
export function failuresOf(
  channel: string,
  { config, isConsenter, isVerifiable }: ShownConfig,
  judgedBy: JudgedBy,
): DetailedPart[] {
  const parts = new Map<string, { reasons: string[]; causes: SharedCause[]; isCritical: boolean }>();
  const fail = (name: string, reason: string, isCritical = false, cause?: SharedCause): void => {
    const part = parts.get(name) ?? { reasons: [], causes: [], isCritical: false };
    part.reasons.push(reason);
    if (cause !== undefined) part.causes.push(cause);
    parts.set(name, { ...part, isCritical: part.isCritical || isCritical });
  };
  const { tlsCert, mspid, kind } = judgedBy;
  for (const each of config.certificates) {
    const expiry = expiryOf(channel, each, judgedBy);
    if (expiry === undefined) continue;
    const { reason, isCritical, cause } = expiry;
    fail(`${each.consenter || each.organisation}/${each.use}`, reason, isCritical, cause);
  }
  if (config.invalid.length > 0)
    fail('certificates', `the config has certificates that cannot be read: ${config.invalid.join(', ')}`);
  if (config.isInMaintenance && !judgedBy.hasVerdict)
    fail('maintenance', 'the channel is in maintenance mode: transactions of applications are refused');
  if (isConsenter === false)
    fail(
      'consenter',
      `the ${config.type === 'BFT' ? 'signing' : 'TLS'} certificate of this orderer belongs to no consenter: it receives blocks but does not order`,
    );
  if (isVerifiable === false)
    fail(
      'tls-ca',
      `${tlsCert}: no TLS CA of ${mspid} in channel ${channel} has issued it: other organisations cannot verify this ${kind}; add its CA to the MSP with configtxlator org set-msp, or use a certificate of a CA in that MSP`,
    );
  for (const { id, severity, path, text, todo } of config.findings)
    if (severity !== 'warning' && !judgedBy.allow.has(id))
      fail(id, onOneLine(`${path === '' ? '' : `${path}: `}${text}${todo === '' ? '' : `; ${todo}`}`));
  return [...parts].map(([name, { reasons, causes, isCritical }]) => ({
    component: `${channel}/${name}`,
    severity: isCritical ? 'critical' : 'warning',
    reason: limited(reasons),
    ...(causes.length > 0 && { causes }),
  }));
}

/** The number of reasons that one part shows. */
const SHOWN = 5;

const limited = (reasons: readonly string[]): string =>
  [
    ...reasons.slice(0, SHOWN),
    ...(reasons.length > SHOWN ? [`and ${reasons.length - SHOWN} more`] : []),
  ].join('; ');
