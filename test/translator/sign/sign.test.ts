// Signing as the peer command line does, on recorded files; merging.

import { createPrivateKey } from 'node:crypto';
import test from 'ava';
import { concatBytes } from '../../../proto/concat-bytes.js';
import { readMspConfig } from '../../../translator/msp/config.js';
import { readMessage } from '../../../proto/typed.js';
import { CommonChannelHeader, CommonPayload, CommonSignatureHeader } from '../../../proto/messages.js';
import { setupMsp, verifySignature, type Identity } from '../../../translator/msp/index.js';
import { TranslateError } from '../../../proto/errors.js';
import {
  mergeEnvelopes,
  readSigningIdentity,
  readUpdateEnvelope,
  signEnvelope,
  writeUpdateEnvelope,
  type SigningIdentity,
  type UpdateEnvelope,
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

/** The bytes of an envelope with nonces, time and signatures replaced. */
function comparable({ channelId, update, signatures, outer }: UpdateEnvelope): unknown {
  const { header } = readMessage(CommonPayload, outer!.payload);
  const channelHeader = header!.channelHeader;
  const withoutNonce = (signatureHeader: Uint8Array): string => {
    const { nonce } = readMessage(CommonSignatureHeader, signatureHeader);
    return `${nonce.length} ${Buffer.from(signatureHeader).toString('hex').replace(Buffer.from(nonce).toString('hex'), 'NONCE')}`;
  };
  return {
    channelId,
    update: Buffer.from(update),
    earlier: signatures.slice(0, -1).map(({ raw }) => Buffer.from(raw)),
    last: withoutNonce(signatures.at(-1)!.header),
    outer: withoutNonce(header!.signatureHeader),
    type: readMessage(CommonChannelHeader, channelHeader).type,
    size: channelHeader.length,
  };
}

for (const [index, { identity, before, after }] of CASES.entries())
  test(`case ${index + 1}: ${identity} signs as signconfigtx does`, async (t) => {
    const signed = readUpdateEnvelope(
      await signEnvelope(Buffer.from(before, 'base64'), await signer(identity), NOW),
    );
    const recorded = readUpdateEnvelope(Buffer.from(after, 'base64'));
    t.deepEqual(comparable(signed), comparable(recorded));
    const known = await identityOf(identity);
    for (const each of [signed, recorded]) {
      const { header, signature } = each.signatures.at(-1)!;
      t.is(await verifySignature(known, concatBytes(header, each.update), signature), undefined);
      t.is(await verifySignature(known, each.outer!.payload, each.outer!.signature), undefined);
      t.is(
        await verifySignature(
          known,
          concatBytes(each.outer!.payload, Uint8Array.of(0)),
          each.outer!.signature,
        ),
        'The signature is invalid',
      );
    }
  });

test('an unsigned envelope is written as it was read', (t) => {
  t.deepEqual(Buffer.from(writeUpdateEnvelope(readUpdateEnvelope(BEFORE))), BEFORE);
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
    const { signatures, update } = readUpdateEnvelope(
      await signEnvelope(BEFORE, await signer(name, key), NOW),
    );
    const { header, signature } = signatures[0]!;
    t.is(await verifySignature(await identityOf(name), concatBytes(header, update), signature), undefined);
  }
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
  const { signatures, update } = readUpdateEnvelope(
    await signEnvelope(BEFORE, await signer('Org1/admin'), NOW),
  );
  const { header, signature } = signatures[0]!;
  const { readEcdsaSignature, writeEcdsaSignature, CURVES } =
    await import('../../../translator/msp/ecdsa.js');
  const pair = readEcdsaSignature(signature);
  if (typeof pair === 'string') throw new Error(pair);
  const high = writeEcdsaSignature({ r: pair.r, s: CURVES[0]!.ecdsa.Point.Fn.ORDER - pair.s });
  const reason = await verifySignature(await identityOf('Org1/admin'), concatBytes(header, update), high);
  t.regex(
    reason ?? '',
    /^could not determine the validity of the signature: .*Invalid S\. Must be smaller than half the order/,
  );
  // Go's asn1.Unmarshal ignores bytes after the signature.
  const trailing = concatBytes(signature, Uint8Array.of(0));
  t.is(
    await verifySignature(await identityOf('Org1/admin'), concatBytes(header, update), trailing),
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
    signatures.map(({ creator }) => Buffer.from(creator)),
    [two, one].map(({ creator }) => Buffer.from(creator)),
  );
  const merged = readUpdateEnvelope(envelope);
  t.is(merged.outer, undefined);
  t.deepEqual(
    merged.signatures.map(({ raw }) => Buffer.from(raw)),
    signatures.map(({ raw }) => Buffer.from(raw)),
  );
});

test('of two signatures of one signer, the valid one stays', async (t) => {
  const one = await signer('Org1/admin');
  const good = readUpdateEnvelope(await signEnvelope(BEFORE, one, NOW));
  const other = readUpdateEnvelope(await signEnvelope(BEFORE, one, NOW)).signatures[0]!;
  const { makeSignature } = await import('../../../translator/sign/envelope.js');
  const bad = makeSignature(other.header, other.creator, good.signatures[0]!.signature);
  const { signatures } = await mergeEnvelopes([
    writeUpdateEnvelope({ ...good, signatures: [bad] }),
    writeUpdateEnvelope(good),
  ]);
  t.deepEqual(
    signatures.map(({ raw }) => Buffer.from(raw)),
    [Buffer.from(good.signatures[0]!.raw)],
  );
});

test('a function can change the order', async (t) => {
  const [one, two] = [await signer('Org1/admin'), await signer('Org2/admin')];
  const inputs = [await signEnvelope(BEFORE, one, NOW), await signEnvelope(BEFORE, two, NOW)];
  const { signatures } = await mergeEnvelopes(inputs, async (_, all) => all.toReversed());
  t.deepEqual(
    signatures.map(({ creator }) => Buffer.from(creator)),
    [two, one].map(({ creator }) => Buffer.from(creator)),
  );
});

test('different updates and channels cannot be merged', async (t) => {
  const { channelId, update } = readUpdateEnvelope(BEFORE);
  const otherUpdate = writeUpdateEnvelope({
    channelId,
    update: concatBytes(update, Uint8Array.of(8, 1)),
    signatures: [],
  });
  const otherChannel = writeUpdateEnvelope({ channelId: 'other', update, signatures: [] });
  await t.throwsAsync(mergeEnvelopes([BEFORE, otherUpdate]), {
    message:
      'inputs 1 and 2 contain different config updates; signatures can be merged on the same update only',
  });
  await t.throwsAsync(mergeEnvelopes([BEFORE, otherChannel]), {
    message:
      'input 1 is for channel "testchannel", input 2 for channel "other"; signatures can be merged for one channel only',
  });
});
