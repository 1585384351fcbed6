// The certificates that a service checks, from its metrics.

import { timeText } from '../common/text/time.js';
import { seriesIn } from './series.js';

/** A certificate that the checker `certificates` found. */
export interface CertificateStatus {
  readonly path: string;
  readonly subject: string;
  /** What it is for, such as `signing` or `tls`. */
  readonly kind: string;
  /** When it expires, RFC 3339. */
  readonly not_after: string;
}

/** The certificates in the body of `/metrics`, those that expire first at the beginning. */
export function certificatesIn(metrics = ''): CertificateStatus[] {
  const found = seriesIn(metrics, 'x509_cert_not_after').flatMap(({ labels, value: time }) => {
    const end = timeText(time * 1000);
    if (end === undefined) return [];
    const textOf = (name: string): string => labels.get(name) ?? '';
    return [{ time, end, path: textOf('path'), subject: textOf('subject'), kind: textOf('kind') }];
  });
  return found
    .sort((a, b) => a.time - b.time)
    .map(({ end, path, subject, kind }) => ({ path, subject, kind, not_after: end }));
}
