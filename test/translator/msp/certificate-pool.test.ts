// Sets of CAs: which of them are tried as issuers, in which order.

import test from 'ava';
import { poolOf } from '../../../translator/msp/certificate-pool.js';
import { hashOf } from '../../../translator/msp/config.js';
import { readPemCertificate, type Certificate } from '../../../translator/msp/index.js';
import { chainIdentifier } from '../../../translator/msp/msp.js';
import { checkOnce } from '../../../translator/msp/verify.js';
import { makeCertificate, type Made } from '../../helpers/made-certificates.js';

const read = ({ pem }: Made): Certificate => readPemCertificate(pem)!;
const CA = read(makeCertificate({ commonName: 'ca' }));
const OTHER = read(makeCertificate({ commonName: 'other' }));

/** A certificate of a CA with the name `ca`, or such a CA, with a key identifier. */
const withKeyId = (kind: 'own' | 'authority', keyId: string): Certificate => ({
  ...CA,
  raw: Buffer.from(`${kind} ${keyId}`),
  extensions: {
    ...CA.extensions,
    [kind === 'own' ? 'subjectKeyId' : 'authorityKeyId']: Buffer.from(keyId),
  },
});
const ca = (keyId: string): Certificate => withKeyId('own', keyId);
const SECOND_A = { ...ca('a'), raw: Buffer.from('second a') };

for (const [authority, expected] of [
  // CAs with the key identifier, then CAs without one, then the others.
  ['a', ['own a', 'second a', 'own ', 'own b']],
  ['b', ['own b', 'own ', 'own a', 'second a']],
  ['c', ['own ', 'own a', 'own b', 'second a']],
  // Without a key identifier in the certificate: first CAs without one.
  ['', ['own ', 'own a', 'own b', 'second a']],
] as const)
  test(`the candidates for the issuer of a certificate with the authority key identifier "${authority}" are ${expected.join(', ')}`, (t) => {
    const pool = poolOf([OTHER, ca('a'), ca(''), ca('b'), SECOND_A, ca('a')]);
    const child = withKeyId('authority', authority);
    t.deepEqual(
      [...pool.parentsOf(child)].map(({ raw }) => Buffer.from(raw).toString()),
      [...expected],
    );
    t.is(pool.countNamed(child), 4);
  });

test('CAs with another name are no candidates, and a CA that is listed twice is one candidate', (t) => {
  const pool = poolOf([CA, CA]);
  t.deepEqual([...pool.parentsOf(CA)], [CA]);
  t.deepEqual([...pool.parentsOf(OTHER)], []);
  t.deepEqual([pool.countNamed(CA), pool.countNamed(OTHER)], [1, 0]);
  t.deepEqual([pool.has(CA), pool.has(OTHER)], [true, false]);
});

test('what all certificates of an MSP need is computed once', (t) => {
  const list = [CA, OTHER];
  t.is(poolOf(list), poolOf(list));
  t.not(poolOf(list), poolOf([...list]));
  const sha256 = hashOf('SHA256')!;
  t.is(chainIdentifier([CA], sha256), chainIdentifier([CA], sha256));
  t.not(chainIdentifier([CA], sha256), chainIdentifier([OTHER], sha256));
  t.is(chainIdentifier([CA], hashOf('SHA384')!).length, 48);
  const check = (key: Certificate): Promise<string | undefined> =>
    checkOnce(CA, key.publicKey, '1.23', false);
  t.is(check(CA), check(CA));
  t.not(check(CA), check(OTHER));
});
