// The route that computes configuration updates from a form.

import { isUtf8 } from 'node:buffer';
import { TranslateError } from '../../proto/errors.js';
import type { Operations } from '../operations.js';
import { FormError } from './form-error.js';
import { boundaryOf } from './media-type.js';
import { bytesReply, textReply, type Reply } from './replies.js';
import type { Route, RouteRequest } from './route.js';
import { queryValue } from './target.js';

/** The parts of a form that count. */
const PARTS = new Set(['original', 'updated', 'channel']);

/** What is to be computed. */
interface Job {
  readonly original: Buffer | undefined;
  readonly updated: Buffer | undefined;
  readonly channel: Buffer;
}

/** `/configtxlator/compute/update-from-configs`. */
export function computeRoute({ computeUpdate }: Operations): Route {
  return {
    method: 'POST',
    path: '/configtxlator/compute/update-from-configs',
    hasName: false,
    answer: async (request) => {
      try {
        return compute(await readJob(request), computeUpdate);
      } catch (error) {
        if (error instanceof FormError) return unreadable('original', error.message);
        throw error;
      }
    },
  };
}

/** @throws FormError, RequestError */
async function readJob({ headers, query, body }: RouteRequest): Promise<Job> {
  const boundary = boundaryOf(headers['content-type']);
  const bytes = await body();
  // The parser of forms is loaded for the first form.
  const { parseForm } = await import('./form.js');
  const { files, values } = await parseForm(bytes, boundary, PARTS);
  return {
    original: files.get('original'),
    updated: files.get('updated'),
    channel: channelInQuery(query) ?? values.get('channel') ?? Buffer.alloc(0),
  };
}

function channelInQuery(query: string): Buffer | undefined {
  try {
    return queryValue(query, 'channel');
  } catch (error) {
    throw new FormError((error as Error).message);
  }
}

function compute({ original, updated, channel }: Job, computeUpdate: Operations['computeUpdate']): Reply {
  if (original === undefined) return unreadable('original', 'http: no such file');
  try {
    // Where there is no second configuration, what is wrong with the first one comes first.
    const update = computeUpdate(original, updated ?? Buffer.alloc(0), channel.toString('utf8'));
    if (!isUtf8(channel))
      return textReply(500, 'Error marshaling config update: string field contains invalid UTF-8');
    return bytesReply(update);
  } catch (error) {
    if (!(error instanceof TranslateError)) throw error;
    return refusal(error, updated === undefined);
  }
}

function refusal({ code, path, message }: TranslateError, isUpdatedMissing: boolean): Reply {
  const field = path.startsWith('original') ? 'original' : 'updated';
  const isUnreadable = code === 'BAD_BYTES';
  if (isUpdatedMissing && !(isUnreadable && field === 'original'))
    return unreadable('updated', 'http: no such file');
  if (!isUnreadable) return textReply(400, `Error computing update: ${message}`);
  return textReply(400, `Error with field '${field}': error unmarshalling field bytes: ${message}`);
}

function unreadable(field: string, reason: string): Reply {
  return textReply(400, `Error with field '${field}': error reading field bytes: ${reason}`);
}
