// The metrics of certificates.

import { X509Certificate } from 'node:crypto';
import test from 'ava';
import { MetricStore } from '../../../../core/metrics/index.js';
import { createEntry } from '../../../../plugins/health/certificates/entry.js';
import { createGauges } from '../../../../plugins/health/certificates/gauges.js';
import { makeCertificate } from '../../../helpers/made-certificates.js';
import { valuesOf } from '../../../helpers/snapshot.js';

const END = Date.UTC(2036, 0, 1);

test('a certificate has expired from the millisecond after its end on', async (t) => {
  const store = new MetricStore(10);
  const gauges = createGauges(store, 'certificates');
  const certificate = new X509Certificate(makeCertificate({ commonName: 'a' }).pem);
  const entry = createEntry(certificate, { path: '/a.pem', suffix: '', kind: 'tls' });
  // The same certificate twice in one file has one series.
  await gauges.show([entry, { ...entry, part: '/a.pem#2' }]);
  const valueOf = async (family: string): Promise<number[]> =>
    (await valuesOf(store, family)).map(({ value }) => value);
  t.deepEqual(await valueOf('x509_cert_not_after'), [END / 1000]);
  for (const [now, expired] of [
    [END, 0],
    [END + 1, 1],
    [END + 2, 1],
    [END, 0],
  ] as const) {
    gauges.update(now);
    t.deepEqual(await valueOf('x509_cert_expired'), [expired]);
  }
  await gauges.show([]);
  t.deepEqual(await valueOf('x509_cert_not_after'), []);
  t.deepEqual(await valueOf('x509_cert_expired'), []);
});
