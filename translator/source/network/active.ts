// Which consenters are alive, as far as the orderers of a channel show it.

import { TranslateError } from '../../../proto/errors.js';
import type { Config } from '../../config/element.js';
import { consentersOf } from '../../review/facts/consenters.js';
import { fetchFrom, type Asking } from './network.js';
import type { Orderer } from './orderer.js';

/** The positions of the consenters that are alive: those at the address of an orderer that does not respond are not. */
export async function activeConsenters(
  config: Config,
  orderers: readonly Orderer[],
  asking: Asking,
): Promise<ReadonlySet<number>> {
  const silent = await Promise.all(
    orderers.map(async (orderer) => {
      try {
        await fetchFrom(orderer, asking, 'newest');
        return undefined;
      } catch (error) {
        if (error instanceof TranslateError) return orderer.address;
        throw error;
      }
    }),
  );
  const list = consentersOf({ config }).list.map(({ host, port }) => `${host}:${port}`);
  return new Set(list.flatMap((address, index) => (silent.includes(address) ? [] : [index])));
}
