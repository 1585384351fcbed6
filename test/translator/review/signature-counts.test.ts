// Whether the signature of an identity would count for an update.

import test from 'ava';
import { creatorOf, readConfigFile, readUpdateFile } from '../../../translator/channel/index.js';
import { decodePem, writeSerializedIdentity } from '../../../translator/msp/index.js';
import { review, signatureUse, signatureCounts } from '../../../translator/review/index.js';
import { largeChannel } from '../../helpers/large-channel.js';
import { makeCertificate } from '../../helpers/made-certificates.js';

const ORGANIZATIONS = 5;
const CHANNEL = largeChannel(ORGANIZATIONS, ORGANIZATIONS);
const BLOCK = readConfigFile(CHANNEL.config);
const SIGNED = readUpdateFile(CHANNEL.envelope);
/** The admins of Org1 to Org5. */
const ADMINS = SIGNED.signatures.map(({ header }) => creatorOf(header));
/** The update with the signatures of the first admins. */
const signedBy = (count: number): typeof SIGNED => ({
  ...SIGNED,
  signatures: SIGNED.signatures.slice(0, count),
});

const STRANGER = decodePem(makeCertificate({ commonName: 'stranger', unit: 'admin' }).pem)!.bytes;
const identityOf = (mspid: string): Uint8Array => writeSerializedIdentity(mspid, STRANGER);

test('the update needs the signatures of three of five admins', async (t) => {
  const { policies } = await review(signedBy(2), BLOCK, { now: new Date() });
  t.deepEqual(
    policies.map(({ have, need }) => [have, need]),
    [[2, 3]],
  );
});

for (const [what, signatures, identity, expected] of [
  ['of an admin who is needed', 2, ADMINS[2]!, 'needed'],
  ['of an admin who has signed', 2, ADMINS[0]!, 'signed'],
  ['of another admin if the policy is satisfied', 3, ADMINS[3]!, 'spare'],
  ['of a certificate of another CA', 2, identityOf('Org3MSP'), 'idle'],
  ['of an unknown MSP', 2, identityOf('OtherMSP'), 'idle'],
  ['of bytes that are no identity', 2, new Uint8Array([1]), 'idle'],
] as const)
  test(`a signature ${what} is ${expected}`, async (t) => {
    t.is(await signatureUse(signedBy(signatures), BLOCK, { creator: identity }), expected);
    t.is(await signatureCounts(signedBy(signatures), BLOCK, { creator: identity }), expected === 'needed');
  });
