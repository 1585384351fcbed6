// Certificates in words.

import { createHash } from 'node:crypto';
import test from 'ava';
import {
  certificateText,
  certificateWords,
  describeCertificate,
  hashWords,
  identityWords,
  summariseCertificate,
} from '../../../translator/documents/certificate.js';
import { certificateIn, writeSerializedIdentity } from '../../../translator/msp/index.js';
import { makeCertificate } from '../../helpers/made-certificates.js';

const CA = makeCertificate({ commonName: 'ca', validity: ['20260101000000Z', '20400101000000Z'] });
const { pem: PEM } = makeCertificate({
  commonName: 'o1',
  issuer: CA,
  validity: ['20260102030405Z', '20360203040506Z'],
});
const { raw: RAW } = certificateIn(PEM)!;
const short = (bytes: Uint8Array): string =>
  `SHA-256 ${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}…`;

test('bytes are compared by the first 16 digits of their SHA-256', (t) => {
  t.is(hashWords(Buffer.from('x')), short(Buffer.from('x')));
});

test('a certificate in one line has both names, its days, its key and its hash', (t) => {
  t.is(
    describeCertificate(certificateIn(PEM)!),
    `CN=o1, issuer CN=ca, 2026-01-02 to 2036-02-03, P-256, ${short(RAW)}`,
  );
});

test('a certificate as data has its names and times', (t) => {
  t.deepEqual(summariseCertificate(PEM), {
    subject: 'CN=o1',
    issuer: 'CN=ca',
    notBefore: '2026-01-02T03:04:05.000Z',
    notAfter: '2036-02-03T04:05:06.000Z',
  });
});

for (const [time, text] of [
  ['2026-01-02T03:04:04.999Z', 'CN=o1 from 2026-01-02 until 2036-02-03'],
  ['2026-01-02T03:04:05.000Z', 'CN=o1 until 2036-02-03'],
  ['2036-02-03T04:05:06.000Z', 'CN=o1 until 2036-02-03'],
  ['2036-02-03T04:05:06.001Z', 'CN=o1 expired on 2036-02-03'],
] as const)
  test(`a certificate from 2026-01-02T03:04:05Z to 2036-02-03T04:05:06Z at ${time}: ${text}`, (t) => {
    t.is(certificateText(summariseCertificate(PEM), new Date(time)), text);
  });

const WORDS = `CN=o1 (${short(RAW)}) until 2036-02-03`;

for (const [what, pem, text] of [
  ['alone', PEM, WORDS],
  ['with a line end more', Buffer.concat([PEM, Buffer.from('\n')]), WORDS],
  ...[Buffer.concat([PEM, CA.pem]), Buffer.concat([Buffer.from('x\n'), PEM])].map(
    (both, index) =>
      [
        index === 0 ? 'before another one' : 'after a text',
        both,
        `${WORDS}, in a text with other content (${short(both)})`,
      ] as const,
  ),
  [
    'that is only a text',
    Buffer.from('x'),
    `something that is not a certificate (${short(Buffer.from('x'))})`,
  ],
] as const)
  test(`a certificate ${what}, as changes name it`, (t) => {
    t.is(certificateWords(pem), text);
  });

test('the certificate of an identity has its MSP id, and an unreadable one has no words', (t) => {
  t.is(identityWords(writeSerializedIdentity('A', RAW)), `CN=o1 (${short(RAW)}) of A`);
  t.is(identityWords(writeSerializedIdentity('A', Buffer.from('x'))), undefined);
  t.is(identityWords(Buffer.from('ff', 'hex')), undefined);
});
