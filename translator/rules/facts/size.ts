// Bounds on the update, checked before a review does any work for it.

import { TranslateError, attempt } from '../../../proto/errors.js';
import { type MessageType, readMessage } from '../../../proto/typed.js';
import { EtcdraftConfigMetadata, MspFabricMSPConfig } from '../../../proto/messages.js';
import type { LongCall, Steps } from '../../long-call.js';
import { walk, type ConfigGroup, type ConfigValue, type Envelope, VALUES } from '../../channel/index.js';

/** The maximum number of signatures: verifying each one hashes the whole update. */
const MAX_SIGNATURES = 1000;
/** The maximum number of groups, values and policies in read set and write set. An update that adds 250 organisations has about 3,000. */
const MAX_ELEMENTS = 5000;
/** The maximum number of entries of all lists in values: certificates, consenters, addresses, ACLs. */
const MAX_ENTRIES = 5000;

/** The types of values by their names, which are the same in all groups. */
const TYPES = new Map<string, MessageType<object>>(
  Object.values(VALUES).flatMap((types) => Object.entries(types)),
);
/** The messages inside values, by the field that has their bytes. */
const INNER = new Map<string, MessageType<object>>([
  ['config', MspFabricMSPConfig],
  ['metadata', EtcdraftConfigMetadata],
]);

/** @throws TranslateError TOO_LARGE */
export async function checkSize(
  { signatures, update: { readSet, writeSet } }: Envelope,
  call: LongCall,
): Promise<void> {
  const { elements, entries } = await call.run(sizeOf([readSet, writeSet]));
  checkCount('signatures', signatures.length, MAX_SIGNATURES);
  checkCount('groups, values and policies', elements, MAX_ELEMENTS);
  checkCount('certificates, consenters, addresses and ACLs', entries, MAX_ENTRIES);
}

function checkCount(what: string, found: number, most: number): void {
  if (found > most)
    throw new TranslateError('TOO_LARGE', `the update has ${found} ${what}; a review takes at most ${most}`);
}

function* sizeOf(
  sets: readonly (ConfigGroup | undefined)[],
): Steps<{ readonly elements: number; readonly entries: number }> {
  let [elements, entries] = [0, 0];
  for (const set of sets)
    for (const { kind, name, element } of walk(set)) {
      yield;
      elements += 1;
      if (kind === 'value') entries += entriesIn((element as ConfigValue).value, TYPES.get(name));
    }
  return { elements, entries };
}

/** The entries of the lists in a message; 0 for bytes that do not parse. */
function entriesIn(bytes: Uint8Array, type: MessageType<object> | undefined): number {
  if (type === undefined) return 0;
  return attempt(
    () =>
      Object.entries(readMessage(type, bytes)).reduce(
        (sum, [name, field]) =>
          sum + lengthOf(field) + (field instanceof Uint8Array ? entriesIn(field, INNER.get(name)) : 0),
        0,
      ),
    (error) => {
      if (error.code === 'TOO_LARGE') throw error;
      // Bytes that do not parse are a later finding, and cost nothing.
      return 0;
    },
  );
}

const lengthOf = (field: unknown): number =>
  Array.isArray(field) ? field.length : field instanceof Map ? field.size : 0;
