import test from 'ava';
import { mutationsOf } from './mutations.js';

const CASES: readonly (readonly [line: string, changed: readonly string[]])[] = [
  ['  if (a === 1) {', ['  if (a !== 1) {', '  if (a === 2) {', '  if (!(a === 1)) {']],
  ['  return a && !b;', ['  return a || !b;']],
  ["  throw new Error('a < b');", []],
  ['  return `a < ${b < 1} < ${`c < ${d}`}`;', ['  return `a < ${b <= 1} < ${`c < ${d}`}`;']],
  ['  const limit = 4096;', ['  const limit = 4097;']],
  ['  this.#timers.delete(name);', [';']],
  ['  // if (a === 1)', []],
  ["import { a } from './a.js';", []],
];
for (const [line, changed] of CASES)
  test(`the mutations of ${JSON.stringify(line)} are ${JSON.stringify(changed)}`, (t) => {
    t.deepEqual(mutationsOf(line), changed);
  });
