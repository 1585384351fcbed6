// How far the orderers of a channel are.

import { TranslateError } from '../../../proto/errors.js';
import type { OrdererProgress } from '../../review/facts/orderers.js';
import { lastConfigOf } from '../stored-block.js';
import { fetchFrom, type Asking } from './network.js';
import type { Orderer } from './orderer.js';

/** Asks each orderer for its newest config block. */
export const progressOf = async (
  orderers: readonly Orderer[],
  asking: Asking,
): Promise<readonly OrdererProgress[]> =>
  Promise.all(
    orderers.map(async (orderer) => {
      const { address } = orderer;
      try {
        const newest = await fetchFrom(orderer, asking, 'newest');
        return { address, block: String(lastConfigOf(newest)), reason: null };
      } catch (error) {
        if (!(error instanceof TranslateError)) throw error;
        return { address, block: null, reason: error.message.replace(`orderer ${address}: `, '') };
      }
    }),
  );
