// Read-write sets (specification section 6.4).

import type { Message } from '../message.js';
import { Refusal, type Treatment, type Treatments } from '../treatment.js';

const KV = 0;

function rwsetOf(namespace: Message): string | Refusal {
  const model = namespace.parent!.int('data_model');
  return model === KV ? 'kvrwset.KVRWSet' : new Refusal(`unknown data model: ${String(model)}`);
}

// The hashed read-write set of a collection stays bytes, as in the original.
const collectionInTransaction: Treatment = { go: '*rwsetext.DynamicCollectionHashedReadWriteSet' };

const namespaceInTransaction: Treatment = {
  go: '*rwsetext.DynamicNsReadWriteSet',
  opens: { rwset: rwsetOf },
  within: { collection_hashed_rwset: () => collectionInTransaction },
};

export const rwset: Treatments = {
  'rwset.TxReadWriteSet': {
    go: '*rwsetext.TxReadWriteSet',
    within: { ns_rwset: () => namespaceInTransaction },
  },
};
