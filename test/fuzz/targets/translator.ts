// The translator: messages to JSON and back, and forms for compute.

import { computeUpdate, decode, encode, TranslateError } from '../../../translator/index.js';
import { FormError } from '../../../translator/http/form.js';
import { parseForm } from '../../../translator/http/form.js';
import { BOUNDARY } from '../../helpers/translator.js';
import type { Input, Outcome } from '../target.js';

/** Some bytes, decoded and encoded. */
const wayBack = (type: string, message: Uint8Array): Buffer => {
  const hex = Buffer.from(message).toString('hex');
  return Buffer.from(must(() => encode(type, decode(type, message)), hex));
};

/**
 * What we wrote decodes and encodes. That may leave something out once: unknown fields, the order of opaque bytes that came in
 * as base64 under a camelCase name. What is left then stays.
 */
function checkWritten(type: string, message: Uint8Array): void {
  const once = wayBack(type, message);
  const twice = wayBack(type, once);
  if (!twice.equals(once)) throw new Error(`${once.toString('hex')} comes back as ${twice.toString('hex')}`);
}

function runDecode({ type, bytes }: Input): void {
  const json = decode(type, bytes);
  checkWritten(
    type,
    must(() => encode(type, json), json),
  );
}

/** What we wrote ourselves must not be refused. */
function must<T>(work: () => T, written: string): T {
  try {
    return work();
  } catch (error) {
    throw new Error(`${(error as Error).message}, of our own ${written}`, { cause: error });
  }
}

/** Reads a form and computes an update from its files. */
async function runForm({ bytes }: Input): Promise<void> {
  const { files } = await parseForm(bytes, BOUNDARY, new Set(['original', 'updated', 'channel']));
  const [original, updated] = [files.get('original'), files.get('updated')];
  if (original === undefined || updated === undefined) return;
  const update = computeUpdate(original, updated, 'mychannel');
  must(() => decode('common.ConfigUpdate', update), Buffer.from(update).toString('hex'));
}

/** @throws whatever is no refusal in words */
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
