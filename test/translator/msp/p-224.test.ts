// Keys on the curve P-224, which Fabric accepts and WebCrypto does not support.

import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import test from 'ava';
import { concatBytes } from '../../../proto/bytes.js';
import { readEcdsaSignature, toP1363, type EcdsaSignature } from '../../../translator/msp/ecdsa.js';
import { setupMsp, verifySignature, type Identity } from '../../../translator/msp/index.js';
import { verifyP224 } from '../../../translator/msp/p-224.js';
import { readPublicKey } from '../../../translator/msp/public-key.js';
import { bytesField, numberField } from '../../helpers/codec.js';

const CA = `-----BEGIN CERTIFICATE-----
MIIBczCCASCgAwIBAgIUUIkso2j5BL88ZuWyGBzGP0/AauYwCgYIKoZIzj0EAwIw
EDEOMAwGA1UEAwwFY2EyMjQwHhcNMjYxMTI1MDAyNTMyWhcNMzYxMTIyMDAyNTMy
WjAQMQ4wDAYDVQQDDAVjYTIyNDBOMBAGByqGSM49AgEGBSuBBAAhAzoABCt/7OJO
t+mnaYi3qzPpGt3cOEA79f3VCiWBQw1OwUoVblzf7gMkebYz7SYqQtSbBwj/cN0R
i1ajo2MwYTAdBgNVHQ4EFgQUNn/eMNw6rCc02MtaFuicQlD7DV8wHwYDVR0jBBgw
FoAUNn/eMNw6rCc02MtaFuicQlD7DV8wDwYDVR0TAQH/BAUwAwEB/zAOBgNVHQ8B
Af8EBAMCAQYwCgYIKoZIzj0EAwIDQQAwPgIdANZmQi4QItyxxEML6zu1+SflhAIe
YTAqX9GMjOoCHQCBSZg8Tp6Py1yQWknLe71kKbiYcbZ9xPsypJIF
-----END CERTIFICATE-----
`;
const LEAF = `-----BEGIN CERTIFICATE-----
MIIBcjCCASCgAwIBAgIUPDVlpzrdiut4QZ1H9OvoB4t4LCcwCgYIKoZIzj0EAwIw
EDEOMAwGA1UEAwwFY2EyMjQwHhcNMjYxMTI1MDAyNTMyWhcNMzUwMjExMDAyNTMy
WjAjMQ8wDQYDVQQLDAZjbGllbnQxEDAOBgNVBAMMB2xlYWYyMjQwTjAQBgcqhkjO
PQIBBgUrgQQAIQM6AASy72qmRN3pYCJ3Bm7EKygG7xh1dTK090zP0X4N8RsU17Ii
wxvMlCRnFYakzaAV3ELBqHWCjj4MPaNQME4wDAYDVR0TAQH/BAIwADAfBgNVHSME
GDAWgBQ2f94w3DqsJzTYy1oW6JxCUPsNXzAdBgNVHQ4EFgQUxNnIpQgfiD4isluA
5s14bAWM3T4wCgYIKoZIzj0EAwIDQAAwPQIcQ3ozaQ247iTgRCLe72Yrl+ws8cE1
HHMYemNJVgIdAPInnEEASeyIm+pILdZnDuEojNlYf6urhpNo3+A=
-----END CERTIFICATE-----
`;

/** Made with node:crypto over the text `hello`; the second one has a high s. */
const LOW =
  '303c021c0c902582c3b3f7d8700a7b1174c6a2a55d3ec149e0922f8a24fe77df021c575902f17bf1871d034a24e0c27ccb209a36865e1bc41f9d6ee00e67';
const HIGH =
  '303e021d00d57bc0e619d6f42ecbf5befb0e5f9a9ced4d5a07d24698d08ff79328021d00d034263f55acf6b1d1f35834715fa3c724606f2b3ce6af5960492391';

const admin = bytesField(4, bytesField(2, Buffer.from('admin')));
const client = bytesField(2, bytesField(2, Buffer.from('client')));
const CONFIG = concatBytes(
  bytesField(1, Buffer.from('M')),
  bytesField(2, Buffer.from(CA)),
  bytesField(11, concatBytes(numberField(1, 1), client, admin)),
);

async function identity(): Promise<Identity> {
  const { msp } = await setupMsp(CONFIG, 'V3_0');
  return msp!.identityOf(Buffer.from(LEAF));
}

test('a CA and an identity with P-224 keys are valid', async (t) => {
  t.is((await identity()).validationError, undefined);
});

for (const [what, message, signature, expected] of [
  ['a signature', 'hello', LOW, undefined],
  ['a signature over another text', 'hallo', LOW, 'The signature is invalid'],
  [
    'a signature with a high s',
    'hello',
    HIGH,
    'could not determine the validity of the signature: Failed verifing with opts [<nil>]: Invalid S. Must be smaller than half the order [21926409687508922244759748420809605440245671645631454992251809768337][13479973333575319897333507543509812970228903857212195860841361184030].',
  ],
] as const)
  test(`P-224: ${what} is ${expected === undefined ? 'valid' : 'refused'}`, async (t) => {
    const found = await verifySignature(
      await identity(),
      Buffer.from(message),
      Buffer.from(signature, 'hex'),
    );
    t.is(found, expected);
  });

test('the signatures are also verified where the platform lacks the curve', (t) => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'secp224r1' });
  const key = readPublicKey(publicKey.export({ type: 'spki', format: 'der' }), '1.26');
  if (key.type !== 'ECDSA') throw new Error(key.type);
  const message = Buffer.from('hello');
  const digest = createHash('sha256').update(message).digest();
  const { r, s } = readEcdsaSignature(sign('sha256', message, privateKey)) as EcdsaSignature;
  const raw = (each: EcdsaSignature): Uint8Array => toP1363(each, key.curve)!;
  t.true(verifyP224(key, raw({ r, s }), digest));
  // Fabric refuses a high s elsewhere.
  t.true(verifyP224(key, raw({ r, s: key.curve.order - s }), digest));
  t.false(verifyP224(key, raw({ r, s: s + 1n }), digest));
  t.false(verifyP224(key, raw({ r, s }), createHash('sha256').update('hallo').digest()));
});
