import test from 'ava';
import { parseForeignJson } from '../../../../core/common/text/foreign-json.js';
import { cpuTimeOf } from '../../../helpers/stopwatch.js';

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const SIZE = 512 * 1024;
const padded = (text: string, size: number): string => text + ' '.repeat(size - text.length);

const ACCEPTED: readonly (readonly [title: string, json: string, maxSize?: number])[] = [
  ['a number', '7'],
  ['64 levels', nested(64)],
  ['64 levels of objects', '{"a":'.repeat(64) + '1' + '}'.repeat(64)],
  ['lists one after the other', `[${'[],'.repeat(1000)}0]`],
  ['brackets in a string', JSON.stringify(nested(1000))],
  ['brackets after an escaped quote', JSON.stringify(`"${nested(1000)}\\"${nested(100)}`)],
  ['a string that ends with a backslash', '["\\\\","\\\\\\\\"]'],
  ['commas in a string', JSON.stringify(','.repeat(100_000))],
  ['32768 values', `[${'0,'.repeat(32_766)}0]`],
  ['512 KiB', padded('0', SIZE)],
  ['the size that was asked for', padded('0', 32), 32],
  ['the number of values that was asked for', padded('[]', 32), 32],
];
for (const [title, json, maxSize] of ACCEPTED)
  test(`a document is parsed: ${title}`, (t) => {
    t.deepEqual(parseForeignJson(json, maxSize), JSON.parse(json));
  });

const REFUSED: readonly (readonly [title: string, json: string, message: string, maxSize?: number])[] = [
  ['65 levels', nested(65), 'has more than 64 levels'],
  ['65 levels of objects', '{"a":'.repeat(65) + '1' + '}'.repeat(65), 'has more than 64 levels'],
  ['levels that never end', '['.repeat(SIZE), 'has more than 64 levels'],
  ['32769 values', `[${'0,'.repeat(32_767)}0]`, 'has more than 32768 values'],
  ['more than 512 KiB', padded('0', SIZE + 1), 'is longer than 524288 characters'],
  ['more than the size that was asked for', padded('0', 33), 'is longer than 32 characters', 32],
  ['more values than were asked for', '[0,0]', 'has more than 2 values', 32],
];
for (const [title, json, message, maxSize] of REFUSED)
  test(`a document is refused before it is parsed: ${title}`, (t) => {
    t.throws(() => parseForeignJson(json, maxSize), {
      instanceOf: RangeError,
      message: `the JSON document ${message}`,
    });
  });

for (const json of ['', '[', '{"a":', '"', '"\\', ']', '[1 2]', '\u0000'])
  test(`a text that is not JSON is a SyntaxError: ${JSON.stringify(json)}`, (t) => {
    t.throws(() => parseForeignJson(json), { instanceOf: SyntaxError });
  });

for (const [title, json] of [
  ['one string', JSON.stringify('x'.repeat(SIZE - 2))],
  ['backslashes', `"${'\\\\'.repeat(SIZE / 2 - 1)}"`],
  ['objects with different keys', `[${Array.from({ length: 16_000 }, (_, key) => `{"${key}":0}`).join()}]`],
  ['one object with many keys', `{${Array.from({ length: 32_000 }, (_, key) => `"k${key}":0`).join()}}`],
] as const)
  test(`the largest document takes less than 100 ms of CPU: ${title}`, (t) => {
    t.true(cpuTimeOf(() => parseForeignJson(json)) < 100);
  });
