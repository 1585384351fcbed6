// What is fuzzed: each target takes bytes, and must either do its work or refuse them in words.

import { decode, encode, TranslateError } from '../../proto/index.js';
import { FormError } from '../../translator/http/form-error.js';
import { parseForm } from '../../translator/http/form.js';
import { BOUNDARY } from '../helpers/translator.js';

export type TargetName = 'decode' | 'encode' | 'form';

/** One input. */
export interface Input {
  readonly target: TargetName;
  /** The message name, of decode and encode. */
  readonly type: string;
  readonly bytes: Buffer;
}

/** What came of an input: it was taken, or refused. Anything else is thrown. */
export type Outcome = 'taken' | 'refused';

/**
 * What is decoded encodes. Unknown fields may be lost on that way, and opaque bytes of nothing else; what is left then stays.
 */
function runDecode({ type, bytes }: Input): void {
  const json = decode(type, bytes);
  checkEncoded(
    type,
    must(() => encode(type, json), json),
  );
}

/** What is encoded decodes, and encodes again to the same bytes. */
function checkEncoded(type: string, message: Uint8Array): void {
  const hex = Buffer.from(message).toString('hex');
  const again = Buffer.from(must(() => encode(type, decode(type, message)), hex)).toString('hex');
  if (again !== hex) throw new Error(`encoded again, ${hex} is ${again}`);
}

/** What we wrote ourselves must not be refused. */
function must<T>(work: () => T, written: string): T {
  try {
    return work();
  } catch (error) {
    throw new Error(`${(error as Error).message}, of our own ${written}`, { cause: error });
  }
}

async function runForm({ bytes }: Input): Promise<void> {
  await parseForm(bytes, BOUNDARY, new Set(['original', 'updated', 'channel']));
}

/** @throws whatever is no refusal in words */
export async function run(input: Input): Promise<Outcome> {
  try {
    if (input.target === 'form') await runForm(input);
    else if (input.target === 'decode') runDecode(input);
    else checkEncoded(input.type, encode(input.type, input.bytes));
    return 'taken';
  } catch (error) {
    if (error instanceof TranslateError || error instanceof FormError) return 'refused';
    throw error;
  }
}
