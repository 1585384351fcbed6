// Which bytes field holds which message, for all families.

import type { Treatment, Treatments } from '../treatment.js';
import { block } from './block.js';
import { configtx } from './configtx.js';
import { msp } from './msp.js';
import { orderer } from './orderer.js';
import { policies } from './policies.js';
import { rwset } from './rwset.js';
import { transaction } from './transaction.js';
import { wellKnown } from './well-known.js';

const TREATMENTS: ReadonlyMap<string, Treatment> = new Map(
  [block, configtx, msp, orderer, policies, rwset, transaction, wellKnown].flatMap((family: Treatments) =>
    Object.entries(family),
  ),
);

/** Messages of other types are looked into for messages of these ones. */
const OTHERS: Treatment = {};

/** The treatment of a message by its type. */
export function treatmentOf(name: string): Treatment {
  return TREATMENTS.get(name) ?? OTHERS;
}
