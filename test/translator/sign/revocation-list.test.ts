// Revocation lists that are made here: as OpenSSL reads them, and as they are read here.

import { execFileSync } from 'node:child_process';
import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import test from 'ava';
import { readPemCertificate } from '../../../translator/msp/index.js';
import { readRevocationList } from '../../../translator/msp/crl.js';
import { makeRevocationList } from '../../../translator/sign/revocation-list.js';
import { makeCertificate } from '../../helpers/made-certificates.js';

const CA = makeCertificate({ commonName: 'ca', organization: 'Org1' });
const CERTIFICATE = readPemCertificate(CA.pem)!;
const SERIALS = [0x7fn, 0x80n, 0x1234567890abcdef1234n];

const listAt = (now: Date, serials: readonly bigint[] = SERIALS): Promise<Uint8Array> =>
  makeRevocationList({
    ca: CERTIFICATE,
    serials,
    now,
    sign: async (message) => sign('sha256', message, CA.key),
  });

const NOW = new Date('2027-01-02T03:04:05.678Z');

test('OpenSSL reads the issuer, the times, the number and the serial numbers of a list', async (t) => {
  const text = execFileSync('openssl', ['crl', '-inform', 'DER', '-noout', '-text', '-nameopt', 'RFC2253'], {
    input: await listAt(NOW),
    encoding: 'utf8',
  });
  const keyId = Buffer.from(CERTIFICATE.extensions.subjectKeyId).toString('hex').toUpperCase();
  for (const line of [
    'Version 2 (0x1)',
    'Signature Algorithm: ecdsa-with-SHA256',
    'Issuer: CN=ca,O=Org1',
    'Last Update: Jan  2 03:04:05 2027 GMT',
    'Next Update: Jan  1 00:00:00 2036 GMT',
    keyId.match(/../g)!.join(':'),
    String(NOW.getTime()).slice(0, 10),
    'Serial Number: 7F',
    'Serial Number: 80',
    'Serial Number: 1234567890ABCDEF1234',
    'Revocation Date: Jan  2 03:04:05 2027 GMT',
  ])
    t.true(text.includes(line), `${line} is not in ${text}`);
});

test('a list is read with the serial numbers, each once, and its signature is valid', async (t) => {
  const list = readRevocationList(await listAt(NOW, [...SERIALS, 0x80n]));
  t.deepEqual([...list.serials], SERIALS);
  t.is(list.issuer.text, 'CN=ca,O=Org1');
  t.deepEqual(list.thisUpdate, new Date('2027-01-02T03:04:05Z'));
  t.deepEqual(list.nextUpdate, CERTIFICATE.notAfter);
  t.deepEqual(list.authorityKeyId, CERTIFICATE.extensions.subjectKeyId);
  t.true(verify('sha256', list.signed, createPublicKey(CA.key), list.signature));
});

for (const year of [2049, 2050])
  test(`the time of a list of ${year} is read exactly`, async (t) => {
    const now = new Date(Date.UTC(year, 11, 31, 23, 59, 59));
    const bytes = await listAt(now);
    t.deepEqual(readRevocationList(bytes).thisUpdate, now);
    // RFC 5280, 5.1.2.4: UTCTime through 2049, GeneralizedTime from 2050 on.
    t.is(Buffer.from(bytes).includes(`${year}1231235959Z`), year >= 2050);
  });

test('a list without serial numbers is read', async (t) => {
  t.is(readRevocationList(await listAt(NOW, [])).serials.size, 0);
});

test('the list of a CA with an Ed25519 key is signed with Ed25519', async (t) => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const made = makeCertificate({ commonName: 'ed', issuer: CA, isCa: true, key: privateKey });
  const content = {
    ca: readPemCertificate(made.pem)!,
    serials: [1n],
    now: NOW,
    sign: async (message: Uint8Array) => sign(null, message, privateKey),
  };
  const { algorithm, signed, signature } = readRevocationList(await makeRevocationList(content));
  t.is(algorithm.name, 'Ed25519');
  t.true(verify(null, signed, publicKey, signature));
});
