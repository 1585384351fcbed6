// What is wrong with the config of a channel at a time.

import type { FailedPart } from '../../../core/contract/index.js';
import { onOneLine, periodText } from '../../../core/kit/index.js';
import type { KnownCertificate } from './config.js';
import type { ShownConfig } from './gauges.js';

/** What a config is judged by. */
export interface JudgedBy {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** How long each certificate must still be valid, in milliseconds. */
  readonly minimum: number;
  /** The fingerprint of the TLS certificate of the node; undefined: unknown. */
  readonly own: string | undefined;
  /** The file with it, and the MSP id and the kind of the node. */
  readonly tlsCert: string;
  readonly mspid: string;
  readonly kind: string;
  /** Ids of findings that are accepted. */
  readonly allow: ReadonlySet<string>;
}

/** How to replace a certificate. */
const RECIPES = (certificate: KnownCertificate): string =>
  certificate.consenter === ''
    ? 'replace it in the MSP with configtxlator org set-msp'
    : `renew it with the same key, or replace it with configtxlator consenter rotate BLOCK ${certificate.consenter} --tls-cert FILE`;

/** The parts of a channel that fail. Several reasons for one part are joined. */
export function failuresOf(
  channel: string,
  { facts, isConsenter, isVerifiable }: ShownConfig,
  { now, minimum, own, allow, tlsCert, mspid, kind }: JudgedBy,
): FailedPart[] {
  const parts = new Map<string, { reasons: string[]; isCritical: boolean }>();
  const fail = (name: string, reason: string, isCritical = false): void => {
    const part = parts.get(name) ?? { reasons: [], isCritical: false };
    part.reasons.push(reason);
    parts.set(name, { reasons: part.reasons, isCritical: part.isCritical || isCritical });
  };
  for (const each of facts.certificates) {
    const left = each.notAfter - now;
    if (left >= minimum) continue;
    const time = Number.isNaN(each.notAfter) ? '' : new Date(each.notAfter).toISOString().replace('.000', '');
    const isOwn = each.consenter !== '' && each.fingerprint === own;
    const state = left < 0 ? `expired on ${time}` : `expires on ${time}, in ${periodText(left)}`;
    fail(
      `${each.consenter || each.organisation}/${each.use}`,
      `${onOneLine(each.subject)} ${state}: ${RECIPES(each)}`,
      isOwn && left < 0,
    );
  }
  if (facts.invalid.length > 0)
    fail('certificates', `the config has certificates that cannot be read: ${facts.invalid.join(', ')}`);
  if (facts.isInMaintenance)
    fail('maintenance', 'the channel is in maintenance mode: transactions of applications are refused');
  if (isConsenter === false)
    fail(
      'consenter',
      'the TLS certificate of this orderer belongs to no consenter: it receives blocks, and takes no part in ordering',
    );
  if (isVerifiable === false)
    fail(
      'tls-ca',
      `${tlsCert}: no TLS CA of ${mspid} in channel ${channel} has issued it: other organisations cannot verify this ${kind}; add its CA to the MSP with configtxlator org set-msp, or use a certificate of a CA that is there`,
    );
  for (const { id, severity, path, text, todo } of facts.findings)
    if (severity !== 'warning' && !allow.has(id))
      fail(id, onOneLine(`${path === '' ? '' : `${path}: `}${text}${todo === '' ? '' : `; ${todo}`}`));
  return [...parts].map(([name, { reasons, isCritical }]) => ({
    component: `${channel}/${name}`,
    severity: isCritical ? 'critical' : 'warning',
    reason: limited(reasons),
  }));
}

/** How many reasons of one part are shown. */
const SHOWN = 5;

const limited = (reasons: readonly string[]): string =>
  [
    ...reasons.slice(0, SHOWN),
    ...(reasons.length > SHOWN ? [`and ${reasons.length - SHOWN} more`] : []),
  ].join('; ');
