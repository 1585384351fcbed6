// A check of a directory with thousands of certificates, after the first one, which reads them.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestContext } from '../../core/testing/index.js';
import { MetricStore } from '../../core/metrics/index.js';
import certificates from '../../plugins/health/certificates/index.js';
import { makeCertificates } from '../helpers/certificate-set.js';
import { median, row, type Row } from './report.js';

const FILES = 10_000;
const CHECKS = 10;

export async function benchCertificates(): Promise<Row[]> {
  // It is removed when the process exits.
  const { directory, server } = makeCertificates();
  const pem = readFileSync(server.cert);
  const files = join(directory, 'files');
  mkdirSync(files);
  for (let index = 0; index < FILES; index += 1) writeFileSync(join(files, `${index}.pem`), pem);
  const options = { paths: [files], blocks: [], keys: [], minimum: 0, signer: 'none' as const };
  const { context } = createTestContext(certificates, options);
  const checker = certificates.create({ ...context, metrics: new MetricStore(100_000) });
  const { signal } = new AbortController();
  const times: number[] = [];
  for (let count = 0; count <= CHECKS; count += 1) {
    const start = performance.now();
    await checker.check(signal);
    times.push(performance.now() - start);
  }
  const [first = NaN, ...others] = times;
  const note = `the first check, which reads them: ${(first / 1000).toFixed(1)} s`;
  return [row('certificates: check of 10,000 files, in ms', median(others), '<=', 200, note)];
}
