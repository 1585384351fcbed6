// The data of errors and faults of identities, so that callers need not read Fabric's texts.

import { generateKeyPairSync } from 'node:crypto';
import test from 'ava';
import { concatBytes } from '../../../proto/bytes.js';
import { TranslateError } from '../../../proto/errors.js';
import { encodePem, rulesOf, setupMsp, type Msp } from '../../../translator/msp/index.js';
import { bytesField, numberField } from '../../helpers/codec.js';
import { makeCertificate } from '../../helpers/made-certificates.js';

const ca = makeCertificate({ commonName: 'ca' });
const stranger = makeCertificate({ commonName: 'ca of others' });
const admin = bytesField(4, bytesField(2, Buffer.from('admin')));
const CONFIG = concatBytes(
  bytesField(1, Buffer.from('M')),
  bytesField(2, Buffer.from(ca.pem)),
  bytesField(11, concatBytes(numberField(1, 1), admin)),
);

async function setUp(): Promise<Msp> {
  const { msp } = await setupMsp(CONFIG, 'V1_4_3', rulesOf(['2.5.12'])[0]);
  return msp!;
}

const UNKNOWN = 'x509: certificate signed by unknown authority';

for (const [what, pem, code, reason, message] of [
  [
    'a certificate that is not DER',
    encodePem('CERTIFICATE', new Uint8Array([1])),
    'BAD_CERTIFICATE',
    'x509: malformed certificate',
    'parseCertificate failed: x509: malformed certificate',
  ],
  [
    'a text without PEM',
    'none',
    'BAD_CERTIFICATE',
    'could not decode the PEM structure',
    'could not decode the PEM structure',
  ],
  [
    'a key that the program cannot import',
    makeCertificate({ commonName: 'a', issuer: ca, key: generateKeyPairSync('ed25519').privateKey }).pem,
    'BAD_KEY',
    "Failed importing key with opts [&{true}]: Certificate's public key type not recognized. Supported keys: [ECDSA, RSA]",
    "failed to import certificate's public key: Failed importing key with opts [&{true}]: Certificate's public key type not recognized. Supported keys: [ECDSA, RSA]",
  ],
  [
    'a certificate of another CA',
    makeCertificate({ commonName: 'a', issuer: stranger }).pem,
    'BAD_IDENTITY',
    UNKNOWN,
    `the supplied identity is not valid: ${UNKNOWN}`,
  ],
] as const)
  test(`the error of ${what} has the code ${code} and the reason without Fabric's steps`, async (t) => {
    const msp = await setUp();
    const error = await t.throwsAsync(msp.identityOf(Buffer.from(pem)), { instanceOf: TranslateError });
    t.like(error, { code, reason, message });
  });

test("the fault of an identity has the reason without Fabric's steps", async (t) => {
  const { pem } = makeCertificate({ commonName: 'a', unit: 'none', issuer: ca });
  const { fault } = await (await setUp()).identityOf(Buffer.from(pem));
  t.is(fault?.kind, 'unit-missing');
  t.regex(
    fault!.reason,
    /^the identity does not have an OU that resolves to client, peer, orderer, or admin role\./,
  );
  t.is(fault!.text, `could not validate identity's OUs: ${fault!.reason}`);
});
