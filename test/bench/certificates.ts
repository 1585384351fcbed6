// A check of a directory with thousands of certificates, after the first one, which reads them, compared with a `stat` of each file.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createNodeTestContext } from '../../core/testing/context.js';
import { MetricStore } from '../../core/metrics/index.js';
import certificates from '../../plugins/health/certificates/index.js';
import { makeCertificates } from '../helpers/certificate-set.js';
import { median, row, type Row } from './report.js';

const FILES = 10_000;
const CHECKS = 10;

/** The same files, each checked with `stat` only. */
async function statAll(directory: string): Promise<void> {
  for (const name of await readdir(directory)) await stat(join(directory, name));
}

export async function benchCertificates(): Promise<Row[]> {
  // It is removed when the process exits.
  const { directory, server } = makeCertificates();
  const pem = readFileSync(server.cert);
  const files = join(directory, 'files');
  mkdirSync(files);
  for (let index = 0; index < FILES; index += 1) writeFileSync(join(files, `${index}.pem`), pem);
  const options = { paths: [files], blocks: [], keys: [], minimum: 0, signer: 'none' as const };
  const { context } = createNodeTestContext(certificates, options);
  const checker = certificates.create({ ...context, metrics: new MetricStore(100_000) });
  const { signal } = new AbortController();
  const first = await timeOf(() => checker.check(signal));
  const times: number[] = [];
  const ratios: number[] = [];
  for (let count = 0; count < CHECKS; count += 1) {
    const time = await timeOf(() => checker.check(signal));
    times.push(time);
    ratios.push(time / (await timeOf(() => statAll(files))));
  }
  const note = `${median(times).toFixed(0)} ms; the first check, which reads them: ${(first / 1000).toFixed(1)} s`;
  return [row('certificates: check of 10,000 files, against stat of each', median(ratios), '<=', 2, note)];
}

async function timeOf(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
