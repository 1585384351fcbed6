// The route that computes a config update from a form.

import { ERRORS, type TranslateError, attempt } from '../../proto/errors.js';
import type { Operations } from '../operations.js';
import type { Form } from './form.js';
import { bytesReply, textReply, type Reply } from './reply.js';
import type { Route } from './route.js';

/** The parts of the form that are used. */
const PARTS = new Set(['original', 'updated', 'channel']);
const NO_FILE = 'http: no such file';

/** `/configtxlator/compute/update-from-configs`. @param load loads the computation, which an idle service does not keep */
export function computeRoute(load: () => Promise<Operations['computeUpdate']>): Route {
  return {
    method: 'POST',
    path: '/configtxlator/compute/update-from-configs',
    hasName: false,
    handle: async ({ headers, query, body }) => {
      // The form parser is loaded with the first form.
      const { boundaryOf, FormError, parseForm } = await import('./form.js');
      try {
        const boundary = boundaryOf(headers['content-type']);
        const form = await parseForm(await body(), boundary, PARTS);
        return compute(form, query, await load());
      } catch (error) {
        if (error instanceof FormError) return unreadable('original', error.message);
        throw error;
      }
    },
  };
}

function compute({ files, values }: Form, query: string, computeUpdate: Operations['computeUpdate']): Reply {
  const original = files.get('original');
  const updated = files.get('updated');
  const channel = new URLSearchParams(query).get('channel') ?? values.get('channel')?.toString() ?? '';
  if (original === undefined) return unreadable('original', NO_FILE);
  const reply = (): Reply => {
    // Without `updated` this only finds faults of `original`, which have priority.
    const update = computeUpdate(original, updated ?? Buffer.alloc(0), channel);
    // The query and the form decoder replace invalid UTF-8 with U+FFFD, which no channel name contains.
    return channel.includes('\ufffd')
      ? textReply(500, 'Error marshaling config update: string field contains invalid UTF-8')
      : bytesReply(update);
  };
  return attempt(reply, (error) => errorReply(error, updated === undefined));
}

function errorReply(error: TranslateError, isUpdatedMissing: boolean): Reply {
  const { code, path, message } = error;
  const field = path.startsWith('original') ? 'original' : 'updated';
  const isUnreadable = code === 'BAD_BYTES';
  if (isUpdatedMissing && !(isUnreadable && field === 'original')) return unreadable('updated', NO_FILE);
  const text = isUnreadable
    ? `Error with field '${field}': error unmarshalling field bytes: ${message}`
    : `Error computing update: ${message}`;
  return textReply(ERRORS[code].status, text);
}

function unreadable(field: string, reason: string): Reply {
  return textReply(400, `Error with field '${field}': error reading field bytes: ${reason}`);
}
