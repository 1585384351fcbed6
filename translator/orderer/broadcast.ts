// Sends an update to the orderers of a channel, one after the other, until one accepts it.

import { TranslateError } from '../../proto/errors.js';
import type { Orderer } from './connection.js';
import { pause, type Waiting } from './waiting.js';

const SUCCESS = 200;
const BAD_REQUEST = 400;
const UNAVAILABLE = 503;
/** Between two rounds, in milliseconds: an election takes seconds. */
const ROUND = 500;

/** What happened to an update. */
export interface Sent {
  /** The address of the orderer that accepted it; undefined if it is unclear whether one did. */
  readonly by: string | undefined;
}

/**
 * Sends an envelope. An orderer that does not respond, or cannot serve the channel now, is followed by the next one, and after the last
 * one all are asked again until the time is over.
 *
 * @throws TranslateError REFUSED with the text of the orderer; UNREACHABLE if no orderer accepts it in time
 */
export async function broadcast(
  envelope: Uint8Array,
  orderers: readonly Orderer[],
  waiting: Waiting,
): Promise<Sent> {
  // An orderer may have accepted an update even if its response was lost. Then the others refuse the update as outdated.
  let isUnclear = false;
  for (;;) {
    const reasons: string[] = [];
    for (const orderer of orderers) {
      const { address } = orderer;
      try {
        const { status, info } = await orderer.broadcast(envelope);
        if (status === SUCCESS) return { by: address };
        if (status === BAD_REQUEST && isUnclear) return { by: undefined };
        if (status !== UNAVAILABLE)
          throw new TranslateError('REFUSED', `orderer ${address} refused the update (${status}): ${info}`);
        reasons.push(`orderer ${address}: unavailable (503): ${info}`);
      } catch (error) {
        if (!(error instanceof TranslateError) || error.code !== 'UNREACHABLE') throw error;
        isUnclear = true;
        reasons.push(error.message);
      }
      waiting.report(reasons.at(-1)!);
    }
    if (waiting.isOver())
      throw new TranslateError(
        'UNREACHABLE',
        `no orderer accepted the update (${waiting.end}): ${reasons.join('; ')}`,
      );
    await pause(ROUND, waiting);
  }
}
