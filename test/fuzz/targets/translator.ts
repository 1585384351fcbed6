// The translator: decode, encode, and forms for computing updates.

import { computeUpdate, decode, encode, TranslateError } from '../../../translator/index.js';
import { FormError } from '../../../translator/http/form.js';
import { parseForm } from '../../../translator/http/form.js';
import { BOUNDARY } from '../../helpers/translator.js';
import type { Input, Outcome } from '../target.js';

/** Decodes and encodes a message. */
const roundTrip = (type: string, message: Uint8Array): Buffer => {
  const hex = Buffer.from(message).toString('hex');
  return Buffer.from(must(() => encode(type, decode(type, message)), hex));
};

/**
 * Checks that an encoded message can be decoded and encoded. The first round trip may change it: unknown fields are lost, and opaque bytes
 * that were base64 under a camelCase name are sorted. The second one must not.
 */
function checkWritten(type: string, message: Uint8Array): void {
  const once = roundTrip(type, message);
  const twice = roundTrip(type, once);
  if (!twice.equals(once))
    throw new Error(`a round trip changes ${once.toString('hex')} to ${twice.toString('hex')}`);
}

function runDecode({ type, bytes }: Input): void {
  const json = decode(type, bytes);
  checkWritten(
    type,
    must(() => encode(type, json), json),
  );
}

/** Runs an operation on our own output, which must not be rejected. */
function must<T>(work: () => T, written: string): T {
  try {
    return work();
  } catch (error) {
    throw new Error(`${(error as Error).message}, for our own output ${written}`, { cause: error });
  }
}

/** Parses a form and computes an update from its parts. */
async function runForm({ bytes }: Input): Promise<void> {
  const { files } = await parseForm(bytes, BOUNDARY, new Set(['original', 'updated', 'channel']));
  const [original, updated] = [files.get('original'), files.get('updated')];
  if (original === undefined || updated === undefined) return;
  const update = computeUpdate(original, updated, 'mychannel');
  must(() => decode('common.ConfigUpdate', update), Buffer.from(update).toString('hex'));
}

/** @throws any error that is not a TranslateError or FormError */
export async function runTranslator(input: Input): Promise<Outcome> {
  try {
    if (input.target === 'form') await runForm(input);
    else if (input.target === 'decode') runDecode(input);
    else checkWritten(input.type, encode(input.type, input.bytes));
    return 'accepted';
  } catch (error) {
    if (error instanceof TranslateError || error instanceof FormError) return 'refused';
    throw error;
  }
}
