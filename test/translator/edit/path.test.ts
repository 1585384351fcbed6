// The paths of edits.

import test from 'ava';
import { matchName, splitPath } from '../../../translator/edit/path.js';

for (const [path, parts] of [
  ['a.b', ['a', 'b']],
  ['.a["b.c"].d', ['a', 'b.c', 'd']],
  ['a[0].b', ['a', '0', 'b']],
  ['a."b.c"', ['a', 'b.c']],
  ['/Channel//Orderer/', ['Channel', 'Orderer']],
  ['a[""]', ['a', '']],
  ['a'.repeat(10_000), ['a'.repeat(10_000)]],
] as const)
  test(`the path ${path.slice(0, 20)} has the parts ${parts.join(', ').slice(0, 30)}`, (t) => {
    t.deepEqual(splitPath(path), [...parts]);
  });

for (const path of ['', '.', 'a..b', 'a[', 'a]b', 'a["b', 'a'.repeat(10_001)])
  test(`${path.length} characters ${path.slice(0, 10)} are no path`, (t) => {
    t.throws(() => splitPath(path), {
      message: `${JSON.stringify(path.slice(0, 60))} is not a path; expected one such as orderer.batchSize.maxMessageCount`,
    });
  });

const dotted = (count: number): string[] => Array.from({ length: count }, (_, index) => `p${index}`);

for (const [parts, names, match] of [
  [['a', 'b'], ['a', 'a.b'], { name: 'a.b', used: 2 }],
  [['A_b'], ['ab', 'a_B'], { name: 'a_B', used: 1 }],
  [['ab'], ['AB', 'ab'], { name: 'ab', used: 1 }],
  [['c', 'd'], ['a'], undefined],
  [dotted(8), [dotted(8).join('.')], { name: dotted(8).join('.'), used: 8 }],
  [dotted(9), [dotted(9).join('.')], undefined],
] as const)
  test(`of ${names.join(' and ')} the parts ${parts.join(', ')} match ${match?.name ?? 'none'}`, (t) => {
    t.deepEqual(matchName(parts, names), match);
  });
