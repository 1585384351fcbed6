// Computes a config update from a form.

import { ERRORS, type TranslateError, attempt } from '../../proto/errors.js';
import type { Form } from './form.js';
import type { Operations } from './operations.js';
import { bytesReply, textReply, type Reply } from './reply.js';
import type { Translation } from './route.js';

/** The parts of the form that are used. */
const PARTS = new Set(['original', 'updated', 'channel']);
const NO_FILE = 'http: no such file';

/** `/configtxlator/compute/update-from-configs`. */
export function computeTranslation({ computeUpdate }: Operations): Translation {
  return {
    path: '/configtxlator/compute/update-from-configs',
    hasName: false,
    translate: async ({ contentType, query, body }) => {
      // The form parser is loaded with the first form.
      const { boundaryOf, FormError, parseForm } = await import('./form.js');
      try {
        const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
        const form = await parseForm(bytes, boundaryOf(contentType), PARTS);
        return await compute(form, query, computeUpdate);
      } catch (error) {
        if (error instanceof FormError) return unreadable('original', error.message);
        throw error;
      }
    },
    errorReply,
  };
}

/** @throws TranslateError */
async function compute(
  { files, values }: Form,
  query: string,
  computeUpdate: Operations['computeUpdate'],
): Promise<Reply> {
  const original = files.get('original');
  const updated = files.get('updated');
  const channel = new URLSearchParams(query).get('channel') ?? values.get('channel')?.toString() ?? '';
  if (original === undefined) return unreadable('original', NO_FILE);
  // Without `updated` this only finds faults of `original`, which have priority.
  const update = await attempt(
    async () => computeUpdate(original, updated ?? Buffer.alloc(0), channel),
    (error) => {
      if (updated === undefined && !(error.code === 'BAD_BYTES' && fieldOf(error) === 'original'))
        return undefined;
      throw error;
    },
  );
  if (update === undefined) return unreadable('updated', NO_FILE);
  // The query and the form decoder replace invalid UTF-8 with U+FFFD, which no channel name contains.
  return channel.includes('\ufffd')
    ? textReply(500, 'Error marshaling config update: string field contains invalid UTF-8')
    : bytesReply(update);
}

function errorReply(error: TranslateError): Reply {
  const { code, message } = error;
  const text =
    code === 'BAD_BYTES'
      ? `Error with field '${fieldOf(error)}': error unmarshalling field bytes: ${message}`
      : `Error computing update: ${message}`;
  return textReply(ERRORS[code].status, text);
}

const fieldOf = ({ path }: TranslateError): string => (path.startsWith('original') ? 'original' : 'updated');

function unreadable(field: string, reason: string): Reply {
  return textReply(400, `Error with field '${field}': error reading field bytes: ${reason}`);
}
