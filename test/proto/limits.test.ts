// The limits for input: their values, and the number of values that an operation with bounds may have.

import test from 'ava';
import {
  CONFIG_LIMITS,
  MAX_GROUP_DEPTH,
  MAX_JSON_VALUES,
  MAX_TEXT,
  maxValuesOf,
  MESSAGE_LIMITS,
  TREE_LIMITS,
  ValueLimit,
} from '../../proto/limits.js';
import { TranslateError } from '../../proto/index.js';

test('the limits of messages, of nested objects and of configs', (t) => {
  t.deepEqual(MESSAGE_LIMITS, {
    depth: 10_000,
    values: 500_000,
    tooMany: 'more than 500000 values in one message',
  });
  t.deepEqual(TREE_LIMITS, { ...MESSAGE_LIMITS, depth: 64 });
  t.deepEqual(CONFIG_LIMITS, {
    depth: 64,
    values: 25_000,
    tooMany: 'the config has more than 25000 groups, values, policies, unknown fields and repeated messages',
  });
  t.deepEqual([MAX_GROUP_DEPTH, MAX_JSON_VALUES, MAX_TEXT], [10_001, 2_000_000, 400_000_000]);
});

for (const [maxOutput, form, size, values] of [
  // One value for each 128 bytes of the output.
  [1, 'message', 0, 1],
  [128, 'message', 0, 1],
  [129, 'message', 0, 2],
  [12_800_000, 'json', 0, 100_000],
  // 100,000 values, and further ones for the size of the input.
  [128_000_000, 'message', 0, 100_000],
  [128_000_000, 'message', 31, 100_000],
  [128_000_000, 'message', 32, 100_001],
  [128_000_000, 'json', 15, 100_000],
  [128_000_000, 'json', 16, 100_001],
  [128_000_000, 'json', 16_000_000, 1_000_000],
] as const)
  test(`${values} values are allowed for ${form} input of ${size} with an output of ${maxOutput} bytes`, (t) => {
    t.is(maxValuesOf({ maxOutput }, form, size), values);
  });

test('the limit of values may be reached, but not exceeded', (t) => {
  const limit = new ValueLimit(2);
  limit.add();
  t.notThrows(() => limit.add());
  const error = t.throws(() => limit.add(), { instanceOf: TranslateError, message: 'more than 2 values' });
  t.is(error.code, 'TOO_LARGE');
});
