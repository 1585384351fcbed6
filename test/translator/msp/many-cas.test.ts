// MSPs with many CAs with the same name. The verdicts are those of Fabric 3.1.5: Go verifies at most 100 signatures for one certificate.

import { createHash, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import test from 'ava';
import { concatBytes } from '../../../proto/bytes.js';
import { CURVES, readEcdsaSignature, type Curve } from '../../../translator/msp/ecdsa.js';
import { setupMsp, type MspSetup } from '../../../translator/msp/index.js';
import { signingKeys } from '../../../translator/msp/signing-keys.js';
import { bytesField, numberField } from '../../helpers/codec.js';
import { makeCertificate, type Made } from '../../helpers/made-certificates.js';

const ROOT = makeCertificate({ commonName: 'root' });
const NODE_OUS = bytesField(
  11,
  concatBytes(
    numberField(1, 1),
    bytesField(2, bytesField(2, Buffer.from('client'))),
    bytesField(4, bytesField(2, Buffer.from('admin'))),
  ),
);

async function setup(root: Made, intermediates: readonly Made[]): Promise<MspSetup> {
  const config = concatBytes(
    bytesField(1, Buffer.from('Org1MSP')),
    bytesField(2, root.pem),
    ...intermediates.map(({ pem }) => bytesField(3, pem)),
    NODE_OUS,
  );
  return setupMsp(config, 'V1_4_3');
}

const intermediate = (commonName: string, issuer: Made): Made =>
  makeCertificate({ commonName, issuer, isCa: true });
const named = (commonName: string, issuer: Made, count: number): readonly Made[] =>
  Array.from({ length: count }, () => intermediate(commonName, issuer));

test.serial(
  'an MSP with 130 CAs of one name, which a root of this name has issued, is set up in several turns',
  async (t) => {
    const root = makeCertificate({ commonName: 'X' });
    const cas = named('X', root, 130);
    let turns = 0;
    let isDone = false;
    const count = (): void => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const { faults } = await setup(root, cas);
    isDone = true;
    t.deepEqual(faults, []);
    t.true(turns > 1);
  },
);

for (const [count, fault] of [
  [99, undefined],
  [
    100,
    'the supplied identity is not valid: x509: signature check attempts limit reached while verifying certificate chain',
  ],
] as const)
  test(`the MSP of a CA with the last of ${count} issuers with the same name is ${fault === undefined ? 'set up' : 'refused'}`, async (t) => {
    const issuers = named('X', ROOT, count);
    const { faults } = await setup(ROOT, [...issuers, intermediate('Y', issuers.at(-1)!)]);
    t.deepEqual(faults, fault === undefined ? [] : [fault]);
  });

test('an MSP with certificates that take more than 50,000 verifications is not judged', async (t) => {
  const rsaSignature = Buffer.alloc(2048, 1);
  const cas = Array.from({ length: 50 }, () =>
    makeCertificate({ commonName: 'root', issuer: ROOT, isCa: true, rsaSignature }),
  );
  const { msp, faults, isJudged } = await setup(ROOT, cas);
  t.is(msp, undefined);
  t.false(isJudged);
  t.deepEqual(faults, [
    'the MSP is not judged: verifying its certificates could take 54459 signature verifications, more than the limit of 50000',
  ]);
});

const NAMES = { 'P-224': 'secp224r1', 'P-256': 'P-256', 'P-384': 'P-384', 'P-521': 'P-521' } as const;

/** A public key that differs from a template only in the point. */
function keyWith(point: Uint8Array, template: Buffer, { size }: Curve): ReturnType<typeof createPublicKey> {
  const spki = Buffer.concat([template.subarray(0, template.length - 1 - 2 * size), point]);
  return createPublicKey({ key: spki, format: 'der', type: 'spki' });
}

for (const curve of CURVES)
  for (const hash of ['sha256', 'sha384', 'sha512'])
    test(`the keys of a signature of ${curve.name} over ${hash} are the keys for which it is valid`, (t) => {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: NAMES[curve.name] });
      const message = Buffer.from('message');
      const signature = sign(hash, message, privateKey);
      const pair = readEcdsaSignature(signature);
      if (typeof pair === 'string') throw new Error(pair);
      const keys = signingKeys(pair, createHash(hash).update(message).digest(), curve) ?? [];
      const spki = publicKey.export({ type: 'spki', format: 'der' });
      const own = spki.subarray(spki.length - 1 - 2 * curve.size);
      t.true(keys.some((key) => own.equals(key)));
      t.is(keys.length, 2);
      for (const key of keys) t.true(verify(hash, message, keyWith(key, spki, curve), signature));
    });

test('a signature with a reduced r has the keys of all four points', (t) => {
  const p256 = CURVES.find(({ name }) => name === 'P-256')!;
  const template = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({
    type: 'spki',
    format: 'der',
  });
  const message = Buffer.from('message');
  const hash = createHash('sha256').update(message).digest();
  // The smallest r of which both r and r plus the order are coordinates of points.
  for (let r = 1n; ; r++) {
    const keys = signingKeys({ r, s: 7n }, hash, p256)!;
    if (keys.length < 4) continue;
    const bytes = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
    const signature = Buffer.concat([bytes(r), bytes(7n)]);
    for (const key of keys)
      t.true(
        verify(
          'sha256',
          message,
          { key: keyWith(key, template, p256), dsaEncoding: 'ieee-p1363' },
          signature,
        ),
      );
    return;
  }
});

test('a signature with the base point and the hash as its numbers has one key', (t) => {
  const p256 = CURVES.find(({ name }) => name === 'P-256')!;
  const template = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({
    type: 'spki',
    format: 'der',
  });
  const message = Buffer.from('message');
  const hash = createHash('sha256').update(message).digest();
  // With the other point, the sum would be the point at infinity.
  const r = 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n;
  const keys = signingKeys({ r, s: BigInt(`0x${hash.toString('hex')}`) }, hash, p256)!;
  t.is(keys.length, 1);
  const signature = Buffer.concat([Buffer.from(r.toString(16), 'hex'), hash]);
  t.true(
    verify(
      'sha256',
      message,
      { key: keyWith(keys[0]!, template, p256), dsaEncoding: 'ieee-p1363' },
      signature,
    ),
  );
});
