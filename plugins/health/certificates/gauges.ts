// The metrics of the certificates. The series of a certificate end when its file is removed.

import { createYielder, type Gauge, type MetricFactory } from '../../../core/contract/index.js';
import type { CertificateEntry } from './entry.js';

const LABELS = ['path', 'subject', 'issuer', 'serial', 'kind', 'component'] as const;
type CertificateLabels = Readonly<Record<(typeof LABELS)[number], string>>;

interface Shown {
  readonly labels: CertificateLabels;
  readonly notAfter: number;
  readonly expired: Gauge;
  isExpired?: boolean;
}

/** The metrics of one instance. */
interface CertificateGauges {
  /** Replaces the certificates in the metrics. */
  show(entries: readonly CertificateEntry[]): Promise<void>;
  /** @param now milliseconds since the epoch */
  update(now: number): void;
  countErrors(count: number): void;
}

/** Creates the metrics. @param component the name of the instance */
export function createGauges(metrics: MetricFactory, component: string): CertificateGauges {
  const notAfter = metrics.gauge({
    namespace: 'x509',
    name: 'cert_not_after',
    help: 'When the certificate expires, in seconds since the epoch.',
    labelNames: LABELS,
  });
  const expired = metrics.gauge({
    namespace: 'x509',
    name: 'cert_expired',
    help: 'Whether the certificate has expired: 1 if it has, else 0.',
    labelNames: LABELS,
  });
  const errors = metrics.counter({
    namespace: 'x509',
    name: 'source_errors_total',
    help: 'Files and directories that could not be read, or not completely, counted in every check.',
  });
  let shown = new Map<string, Shown>();
  return {
    async show(entries) {
      const yieldIfDue = createYielder(16);
      const next = new Map<string, Shown>();
      for (const entry of entries) {
        const { path, subject, issuer, serial, kind } = entry;
        const labels = { path, subject, issuer, serial, kind, component };
        const key = JSON.stringify([path, subject, issuer, serial, kind]);
        if (next.has(key)) continue;
        notAfter.with(labels).set(entry.notAfter / 1000);
        next.set(key, { labels, notAfter: entry.notAfter, expired: expired.with(labels) });
        const nextTurn = yieldIfDue();
        if (nextTurn !== undefined) await nextTurn;
      }
      for (const [key, { labels }] of shown) {
        if (next.has(key)) continue;
        notAfter.remove(labels);
        expired.remove(labels);
      }
      shown = next;
    },
    update(now) {
      for (const each of shown.values()) {
        const isExpired = now > each.notAfter;
        if (each.isExpired !== isExpired) each.expired.set(isExpired ? 1 : 0);
        each.isExpired = isExpired;
      }
    },
    countErrors: (count) => errors.inc(count),
  };
}
