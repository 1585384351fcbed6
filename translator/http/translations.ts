// What the service translates, and where: small bodies on the event loop, others in a thread.

import { attempt } from '../../proto/errors.js';
import type { Bounds } from '../../proto/limits.js';
import { codecTranslations } from './codec.js';
import { computeTranslation } from './compute.js';
import { MAX_LOOP_BODY, MAX_LOOP_OUTPUT } from './limits.js';
import { OPERATIONS, type Operations } from './operations.js';
import type { Route, Translation } from './route.js';
import type { TranslationThread } from './translation-thread.js';

/** All translations of the service. */
export const createTranslations = (operations: Operations = OPERATIONS): readonly Translation[] => [
  ...codecTranslations(operations),
  computeTranslation(operations),
];

/**
 * The route of a translation.
 *
 * @param thread translates bodies that would hold the event loop for too long: large ones, and small ones with a large result
 */
export function translationRoute(
  translation: Translation,
  thread: TranslationThread,
  { maxOutput }: Bounds,
): Route {
  const { path, hasName, translate, errorReply } = translation;
  const loopBounds = { maxOutput: Math.min(maxOutput, MAX_LOOP_OUTPUT) };
  return {
    method: 'POST',
    path,
    hasName,
    handle: async ({ name, query, headers, body: read, onClose }) => {
      const body = await read();
      const request = { path, name, query, contentType: headers['content-type'], body };
      const inThread = () => thread.translate(request, onClose);
      if (body.length > MAX_LOOP_BODY) return inThread();
      return attempt(
        async () => translate(request, loopBounds),
        (error) => (error.code === 'TOO_LARGE' ? inThread() : errorReply(error)),
      );
    },
  };
}
