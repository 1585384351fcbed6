// Random pairs of trees: the update equals the result of a naive implementation, and applying it gives the updated tree.

import assert from 'node:assert/strict';
import test from 'ava';
import * as fc from 'fast-check';
import { TranslateError } from '../../../proto/index.js';
import { computeUpdate } from '../../../translator/update/index.js';
import {
  configBytes,
  normal,
  updateObject,
  type GroupObject,
  type UpdateObject,
} from '../../helpers/config.js';
import { groupPair } from '../../helpers/config-pairs.js';
import { naiveUpdate } from '../../helpers/naive-update.js';

const RUNS = { numRuns: 400 };

/** The update; undefined if there is no difference. */
function compute(original: GroupObject, updated: GroupObject): UpdateObject | undefined {
  try {
    return updateObject(computeUpdate(configBytes(original), configBytes(updated), 'ch'));
  } catch (error) {
    if (error instanceof TranslateError && error.code === 'NO_DIFFERENCES') return undefined;
    throw error;
  }
}

test('the update equals the result of a naive implementation on plain objects', (t) => {
  let updates = 0;
  fc.assert(
    fc.property(groupPair(2), ([original, updated]) => {
      const { changed, read_set, write_set } = naiveUpdate(original, updated);
      const found = compute(original, updated);
      if (found === undefined) return assert.equal(changed, false);
      updates += 1;
      assert.equal(found.channel_id, 'ch');
      assert.deepEqual(normal(found.read_set ?? {}), normal(read_set));
      assert.deepEqual(normal(found.write_set ?? {}), normal(write_set));
    }),
    RUNS,
  );
  t.true(updates > RUNS.numRuns / 2);
});

test('applying the write set to the original gives the updated tree', (t) => {
  fc.assert(
    fc.property(groupPair(2), ([original, updated]) => {
      const update = compute(original, updated);
      const result = update === undefined ? original : apply(original, update.write_set ?? {});
      assert.deepEqual(normal(result, { versions: false }), normal(updated, { versions: false }));
    }),
    RUNS,
  );
  t.pass();
});

test('the read set contains only versions of the original', (t) => {
  fc.assert(
    fc.property(groupPair(2), ([original, updated]) => {
      const read_set = compute(original, updated)?.read_set;
      if (read_set === undefined) return;
      assert.deepEqual(normal(read_set), normal(versionsOf(original, read_set)));
    }),
    RUNS,
  );
  t.pass();
});

test('random and corrupted bytes are accepted or refused with a TranslateError', (t) => {
  const config = configBytes({ values: { a: { value: 'AQ==' } }, policies: { b: { policy: { type: 1 } } } });
  let errors = 0;
  const corrupted = fc
    .array(fc.tuple(fc.nat(config.length - 1), fc.nat(255)), { maxLength: 3 })
    .map((changes) => {
      const copy = config.slice();
      for (const [at, byte] of changes) copy[at] = byte;
      return copy;
    });
  fc.assert(
    fc.property(fc.oneof(corrupted, fc.uint8Array({ maxLength: 30 })), (input) => {
      try {
        computeUpdate(config, input, '');
      } catch (error) {
        assert.ok(error instanceof TranslateError);
        errors += 1;
      }
    }),
    { numRuns: 3000 },
  );
  t.true(errors > 1000);
});

/** Applies a write set as an orderer does: a raised version replaces a group, the same version adds to it. */
function apply(original: GroupObject, write: GroupObject): GroupObject {
  const replaced = versionOf(original) !== versionOf(write);
  const result: Required<GroupObject> = {
    version: '0',
    groups: {},
    values: {},
    policies: {},
    mod_policy: (replaced ? write : original).mod_policy ?? '',
  };
  for (const kind of ['groups', 'values', 'policies'] as const) {
    const before = new Map<string, object>(Object.entries(original[kind] ?? {}));
    const after = new Map<string, object>(replaced ? [] : before);
    for (const [key, element] of Object.entries<object>(write[kind] ?? {})) {
      const old = before.get(key);
      if (old === undefined) after.set(key, element);
      else if (kind === 'groups') after.set(key, apply(old, element));
      else after.set(key, versionOf(old) === versionOf(element) ? old : element);
    }
    result[kind] = Object.fromEntries(after);
  }
  return result;
}

const versionOf = (element: { version?: string }): string => element.version ?? '0';

/** The versions of the elements of a group in a read set. */
function versionsOf(original: GroupObject, read: GroupObject): GroupObject {
  const named = <E extends object>(
    names: object = {},
    elements: Record<string, E> = {},
    content: (element: E, name: string) => E,
  ): Record<string, E> =>
    Object.fromEntries(
      Object.entries(elements)
        .filter(([key]) => Object.hasOwn(names, key))
        .map(([key, element]) => [key, content(element, key)]),
    );
  const below = new Map(Object.entries(read.groups ?? {}));
  return {
    version: versionOf(original),
    groups: named(read.groups, original.groups, (group, key) => versionsOf(group, below.get(key) ?? {})),
    values: named(read.values, original.values, (each) => ({ version: versionOf(each) })),
    policies: named(read.policies, original.policies, (each) => ({ version: versionOf(each) })),
  };
}
