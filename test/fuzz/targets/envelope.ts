// Envelopes with config updates: merged and signed, or refused with a TranslateError.

import { TranslateError } from '../../../proto/errors.js';
import {
  mergeEnvelopes,
  readSigningIdentity,
  signEnvelope,
  type SigningIdentity,
} from '../../../translator/sign/index.js';
import { certificateOf, IDENTITIES, readVectors } from '../../helpers/channel-vectors.js';
import type { Input, Outcome } from '../target.js';

const NAME = 'Org1/admin';
let signer: Promise<SigningIdentity> | undefined;

/** Recorded envelopes. */
export function envelopeSamples(): readonly Input[] {
  const cases = readVectors<readonly { before: string; after: string }[]>('sign-cases');
  return cases
    .flatMap(({ before, after }) => [before, after])
    .map((base64) => ({ target: 'envelope', type: '', bytes: Buffer.from(base64, 'base64') }));
}

/** @throws any error that is not a proper refusal */
export async function runEnvelope({ bytes }: Input): Promise<Outcome> {
  signer ??= readSigningIdentity({
    mspid: IDENTITIES[NAME]!.mspid,
    certificate: certificateOf(NAME),
    key: Buffer.from(IDENTITIES[NAME]!.key),
  });
  try {
    const signed = await signEnvelope(bytes, await signer, new Date(0));
    await mergeEnvelopes([bytes, signed]);
    return 'accepted';
  } catch (error) {
    if (error instanceof TranslateError && error.message !== '') return 'refused';
    throw error;
  }
}
