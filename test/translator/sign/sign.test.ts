// Signing as the peer command line does, on recorded files; merging.

import { createPrivateKey } from 'node:crypto';
import test from 'ava';
import { concatBytes } from '../../../proto/bytes.js';
import { readMspConfig } from '../../../translator/msp/config.js';
import { readMessage, writeMessage } from '../../../proto/typed.js';
import { makeSignature } from '../../../translator/channel/envelope.js';
import { writeSerializedIdentity } from '../../../translator/msp/identity.js';
import { CommonChannelHeader, CommonPayload, CommonSignatureHeader } from '../../../proto/messages.js';
import { setupMsp, verifySignature, type Identity } from '../../../translator/msp/index.js';
import { TranslateError } from '../../../proto/errors.js';
import {
  creatorOf,
  readEnvelope,
  unsignedEnvelope,
  type Envelope,
  type UpdateSignature,
} from '../../../translator/channel/index.js';
import {
  findSigningIdentity,
  mergeEnvelopes,
  readSigningIdentity,
  signEnvelope,
  type SigningIdentity,
} from '../../../translator/sign/index.js';
import {
  certificateOf,
  IDENTITIES,
  readVectors,
  serializedIdentity,
  type IdentityCases,
} from '../../helpers/channel-vectors.js';

const CASES = readVectors<readonly { identity: string; before: string; after: string }[]>('sign-cases');
const BEFORE = Buffer.from(CASES[0]!.before, 'base64');
const NOW = new Date('2026-11-22T00:00:00Z');

const signer = (name: string, key = IDENTITIES[name]!.key): Promise<SigningIdentity> =>
  readSigningIdentity({
    mspid: IDENTITIES[name]!.mspid,
    certificate: certificateOf(name),
    key: Buffer.from(key),
  });

/** The identity in an MSP of the recorded ones, by the rules of channel capability V3_0. */
async function identityOf(name: string): Promise<Identity> {
  const { msps } = readVectors<IdentityCases>('identity-cases');
  const config = msps
    .map((base64) => Buffer.from(base64, 'base64'))
    .find((bytes) => readMspConfig(bytes).name === IDENTITIES[name]!.mspid)!;
  const { msp } = await setupMsp(config, 'V3_0');
  return msp!.identity(serializedIdentity(name));
}

/** The signers of signatures, serialized. */
const signersOf = (signatures: readonly UpdateSignature[]): Buffer[] =>
  signatures.map(({ header }) => Buffer.from(creatorOf(header)));

/** The bytes of an envelope with nonces, time and signatures replaced. */
function comparable({ channel, update, signatures, submission }: Envelope): unknown {
  const { header } = readMessage(CommonPayload, submission!.payload);
  const channelHeader = header!.channelHeader;
  const withoutNonce = (signatureHeader: Uint8Array): string => {
    const { nonce } = readMessage(CommonSignatureHeader, signatureHeader);
    return `${nonce.length} ${Buffer.from(signatureHeader).toString('hex').replace(Buffer.from(nonce).toString('hex'), 'NONCE')}`;
  };
  return {
    channel,
    update: Buffer.from(update.bytes),
    earlier: signatures.slice(0, -1).map(({ bytes }) => Buffer.from(bytes)),
    last: withoutNonce(signatures.at(-1)!.header),
    outer: withoutNonce(header!.signatureHeader),
    type: readMessage(CommonChannelHeader, channelHeader).type,
    size: channelHeader.length,
  };
}

for (const [index, { identity, before, after }] of CASES.entries())
  test(`case ${index + 1}: ${identity} signs as signconfigtx does`, async (t) => {
    const signed = readEnvelope(
      await signEnvelope(Buffer.from(before, 'base64'), await signer(identity), NOW),
    );
    const recorded = readEnvelope(Buffer.from(after, 'base64'));
    t.deepEqual(comparable(signed), comparable(recorded));
    const known = await identityOf(identity);
    for (const each of [signed, recorded]) {
      const { header, signature } = each.signatures.at(-1)!;
      t.is(await verifySignature(known, concatBytes(header, each.update.bytes), signature), undefined);
      t.is(await verifySignature(known, each.submission!.payload, each.submission!.signature), undefined);
      t.is(
        await verifySignature(
          known,
          concatBytes(each.submission!.payload, Uint8Array.of(0)),
          each.submission!.signature,
        ),
        'The signature is invalid',
      );
    }
  });

test('an unsigned envelope is written as it was read', (t) => {
  const { update, signatures } = readEnvelope(BEFORE);
  const written = unsignedEnvelope({ channel: 'testchannel', update: update.bytes, signatures });
  t.deepEqual(Buffer.from(written), BEFORE);
});

test('a P-384 key and a SEC 1 key sign', async (t) => {
  const sec1 = createPrivateKey(IDENTITIES['Org1/admin']!.key).export({
    type: 'sec1',
    format: 'pem',
  }) as string;
  for (const [name, key] of [
    ['Org1/p384', undefined],
    ['Org1/admin', sec1],
  ] as const) {
    const { signatures, update } = readEnvelope(await signEnvelope(BEFORE, await signer(name, key), NOW));
    const { header, signature } = signatures[0]!;
    t.is(
      await verifySignature(await identityOf(name), concatBytes(header, update.bytes), signature),
      undefined,
    );
  }
});

test('a certificate without a private key does not sign', async (t) => {
  const error = await t.throwsAsync(
    findSigningIdentity({ mspid: 'Org1MSP', certificate: certificateOf('Org1/admin'), keys: [] }),
    { instanceOf: TranslateError },
  );
  t.deepEqual([error.code, error.message], ['KEY_MISMATCH', 'the certificate has no private key']);
});

for (const [name, key, message] of [
  [
    'Org1/admin',
    IDENTITIES['Org1/user1']!.key,
    'the key does not belong to the certificate of CN=Admin@org1.example.com,OU=admin,L=San Francisco,ST=California,C=US',
  ],
  [
    'Org1/admin',
    IDENTITIES['Org1/p384']!.key,
    "the private key cannot be read as a key of the certificate's algorithm, P-256",
  ],
  ['Org1/admin', 'nothing', 'the file contains no private key in PEM'],
  ['Org1/rsa', IDENTITIES['Org1/rsa']!.key, 'the certificate has an RSA key; ECDSA and Ed25519 are allowed'],
] as const)
  test(`${name} with another key: ${message}`, async (t) => {
    await t.throwsAsync(signer(name, key), { instanceOf: TranslateError, message });
  });

test("a signature with high s is refused with Fabric's text", async (t) => {
  const { signatures, update } = readEnvelope(await signEnvelope(BEFORE, await signer('Org1/admin'), NOW));
  const { header, signature } = signatures[0]!;
  const { readEcdsaSignature, writeEcdsaSignature, CURVES } =
    await import('../../../translator/msp/ecdsa.js');
  const pair = readEcdsaSignature(signature);
  if (typeof pair === 'string') throw new Error(pair);
  const high = writeEcdsaSignature({ r: pair.r, s: CURVES[0]!.order - pair.s });
  const reason = await verifySignature(
    await identityOf('Org1/admin'),
    concatBytes(header, update.bytes),
    high,
  );
  t.regex(
    reason ?? '',
    /^could not determine the validity of the signature: .*Invalid S\. Must be smaller than half the order/,
  );
  // Go's asn1.Unmarshal ignores bytes after the signature.
  const trailing = concatBytes(signature, Uint8Array.of(0));
  t.is(
    await verifySignature(await identityOf('Org1/admin'), concatBytes(header, update.bytes), trailing),
    undefined,
  );
});

test('merging keeps the order of the files and drops a second signature of the same signer', async (t) => {
  const [one, two] = [await signer('Org1/admin'), await signer('Org2/admin')];
  const a = await signEnvelope(BEFORE, one, NOW);
  const both = await signEnvelope(a, two, NOW);
  const again = await signEnvelope(BEFORE, one, NOW);
  const { envelope, signatures, duplicates } = await mergeEnvelopes([
    await signEnvelope(BEFORE, two, NOW),
    both,
    again,
  ]);
  t.is(duplicates, 2);
  t.deepEqual(
    signersOf(signatures),
    [two, one].map(({ creator }) => Buffer.from(creator)),
  );
  const merged = readEnvelope(envelope);
  t.is(merged.submission!.signature.length, 0);
  t.deepEqual(
    merged.signatures.map(({ bytes }) => Buffer.from(bytes)),
    signatures.map(({ bytes }) => Buffer.from(bytes)),
  );
});

test('of two signatures of one signer, the valid one is kept', async (t) => {
  const one = await signer('Org1/admin');
  const good = readEnvelope(await signEnvelope(BEFORE, one, NOW));
  const other = readEnvelope(await signEnvelope(BEFORE, one, NOW)).signatures[0]!;
  const bad = makeSignature(other.header, good.signatures[0]!.signature);
  const content = { channel: 'testchannel', update: good.update.bytes };
  const { signatures } = await mergeEnvelopes([
    unsignedEnvelope({ ...content, signatures: [bad] }),
    unsignedEnvelope({ ...content, signatures: good.signatures }),
  ]);
  t.deepEqual(
    signatures.map(({ bytes }) => Buffer.from(bytes)),
    [Buffer.from(good.signatures[0]!.bytes)],
  );
});

/** Signatures of one signer, as if the second had been made for another header. */
async function ofOne(name: string): Promise<readonly [good: UpdateSignature, bad: UpdateSignature]> {
  const one = await signer(name);
  const [good, other] = [
    readEnvelope(await signEnvelope(BEFORE, one, NOW)).signatures[0]!,
    readEnvelope(await signEnvelope(BEFORE, one, NOW)).signatures[0]!,
  ];
  return [good, makeSignature(other.header, good.signature)];
}

/** The signatures that are left of some on the same update. */
async function leftOf(...signatures: readonly UpdateSignature[]): Promise<readonly Buffer[]> {
  const { bytes: update } = readEnvelope(BEFORE).update;
  const inputs = signatures.map((each) =>
    unsignedEnvelope({ channel: 'testchannel', update, signatures: [each] }),
  );
  return (await mergeEnvelopes(inputs)).signatures.map(({ bytes }) => Buffer.from(bytes));
}

test('of two signatures of one Ed25519 key, the valid one is kept', async (t) => {
  const [good, bad] = await ofOne('OrgEd/ed-admin');
  t.deepEqual(await leftOf(bad, good), [Buffer.from(good.bytes)]);
});

test('of several signatures of one signer that are not valid, the first is kept', async (t) => {
  const [good, bad] = await ofOne('Org1/admin');
  const noDer = makeSignature(good.header, Buffer.from('no signature'));
  t.deepEqual(await leftOf(bad, noDer), [Buffer.from(bad.bytes)]);
  t.deepEqual(await leftOf(noDer, bad), [Buffer.from(noDer.bytes)]);
});

for (const [what, certificate] of [
  ['text', Buffer.from('no certificate')],
  [
    'a certificate in PEM that cannot be read',
    Buffer.from('-----BEGIN CERTIFICATE-----\naGk=\n-----END CERTIFICATE-----\n'),
  ],
] as const)
  test(`of two signatures of a signer whose certificate is ${what}, the first is kept`, async (t) => {
    const creator = writeSerializedIdentity('Org1MSP', certificate);
    const header = writeMessage(CommonSignatureHeader, { creator, nonce: Buffer.alloc(24, 1) });
    const [one, other] = [makeSignature(header, Buffer.of(1)), makeSignature(header, Buffer.of(2))];
    t.deepEqual(await leftOf(one, other), [Buffer.from(one.bytes)]);
  });

test('a function can change the order', async (t) => {
  const [one, two] = [await signer('Org1/admin'), await signer('Org2/admin')];
  const inputs = [await signEnvelope(BEFORE, one, NOW), await signEnvelope(BEFORE, two, NOW)];
  const { signatures } = await mergeEnvelopes(inputs, async (_, all) => all.toReversed());
  t.deepEqual(
    signersOf(signatures),
    [two, one].map(({ creator }) => Buffer.from(creator)),
  );
});

test('merging without envelopes is an error', async (t) => {
  await t.throwsAsync(mergeEnvelopes([]), {
    instanceOf: TranslateError,
    code: 'WRONG_MESSAGE',
    message: 'there is nothing to merge',
  });
});

test('different updates and channels cannot be merged', async (t) => {
  const { update } = readEnvelope(BEFORE);
  const otherUpdate = unsignedEnvelope({
    channel: 'testchannel',
    update: concatBytes(update.bytes, Uint8Array.of(8, 1)),
    signatures: [],
  });
  const otherChannel = unsignedEnvelope({ channel: 'other', update: update.bytes, signatures: [] });
  await t.throwsAsync(mergeEnvelopes([BEFORE, otherUpdate]), {
    message:
      'inputs 1 and 2 contain different config updates; signatures can be merged on the same update only',
  });
  await t.throwsAsync(mergeEnvelopes([BEFORE, otherChannel]), {
    message:
      'input 1 is for channel "testchannel", input 2 for channel "other"; signatures can be merged for one channel only',
  });
});
