// The estimated work to set up an MSP, in verifications of P-256 signatures: an MSP with too much work is not judged.

import { generateKeyPairSync } from 'node:crypto';
import test from 'ava';
import { readPemCertificate, type Certificate } from '../../../translator/msp/index.js';
import { workOf } from '../../../translator/msp/set-up-work.js';
import { makeCertificate, type Made } from '../../helpers/made-certificates.js';

const read = ({ pem }: Made): Certificate => readPemCertificate(pem)!;

const CA = makeCertificate({ commonName: 'ca' });
const LEAF = read(makeCertificate({ commonName: 'a', issuer: CA, isCa: false }));
const curve = (namedCurve: string): Certificate =>
  read(
    makeCertificate({
      commonName: 'other',
      issuer: CA,
      isCa: true,
      key: generateKeyPairSync('ec', { namedCurve }).privateKey,
    }),
  );

/** As many CAs with the name of the issuer. */
const cas = (count: number): readonly Certificate[] =>
  Array.from({ length: count }, (_, at) => ({ ...read(CA), raw: Buffer.from(String(at)) }));

const signedWith = (key: 'RSA' | 'Ed25519' | 'unknown', size = 256): Certificate => ({
  ...LEAF,
  algorithm: { name: key, key, hash: undefined },
  signature: Buffer.alloc(size),
});

for (const [what, certificates, roots, intermediates, work] of [
  ['no certificate', [], cas(3), [], 0],
  ['one without an issuer', [LEAF], [], [], 1],
  ['one with an issuer', [LEAF], cas(1), [], 2],
  ['one with a root and two intermediate CAs as issuers', [LEAF], cas(1), cas(2), 4],
  // The possible keys are computed.
  ['one with four issuers', [LEAF], cas(2), cas(2), 9],
  ['one with 200 issuers', [LEAF], cas(200), [], 9],
  ['two with four issuers', [LEAF, LEAF], cas(4), [], 18],
  ['one with four issuers, and another CA of P-224', [LEAF], cas(4), [curve('secp224r1')], 51],
  ['one with four issuers, and another CA of P-384', [LEAF], cas(4), [curve('P-384')], 81],
  [
    'one with four issuers, and another root of P-521',
    [LEAF],
    [...cas(4), curve('P-521'), curve('P-384')],
    [],
    161,
  ],
  ['one of RSA with an issuer', [signedWith('RSA')], cas(1), [], 2],
  ['two of RSA with an issuer', [signedWith('RSA'), signedWith('RSA')], cas(1), [], 3],
  ['one of RSA with three issuers', [signedWith('RSA')], cas(3), [], 2],
  ['one of RSA 4096 with three issuers', [signedWith('RSA', 512)], cas(3), [], 5],
  // Go verifies 100 signatures at most.
  ['one of RSA with 99 issuers', [signedWith('RSA')], cas(99), [], 34],
  ['one of RSA with 102 issuers', [signedWith('RSA')], cas(102), [], 35],
  ['one of Ed25519 with five issuers', [signedWith('Ed25519')], cas(5), [], 6],
  ['one of Ed25519 with 102 issuers', [signedWith('Ed25519')], cas(102), [], 101],
  ['one of an unknown algorithm with five issuers', [signedWith('unknown')], cas(5), [], 1],
] as const)
  test(`the work for ${what} is ${work}`, (t) => {
    t.is(workOf(certificates, { roots, intermediates }), work);
  });
