import test from 'ava';
import { wrapLine } from '../../../../core/common/text/wrap.js';

for (const [line, width, parts] of [
  ['', 10, ['']],
  ['short', 10, ['short']],
  ['exactly 10', 10, ['exactly 10']],
  ['one two three four', 10, ['one two', '  three', '  four']],
  ['one  two', 5, ['one', '  two']],
  ['averylongword and more', 10, ['averylongw', '  ord and', '  more']],
  ['abc😀', 4, ['abc', '  😀']],
  ['abc', 1, ['abc']],
  ['abcd', 1, ['abc', '  d']],
  [' abcdefgh', 4, [' abc', '  de', '  fg', '  h']],
  ['wide', Infinity, ['wide']],
] as const)
  test(`'${line}' at the width ${width} is ${JSON.stringify(parts)}`, (t) => {
    t.deepEqual(wrapLine(line, width), [...parts]);
  });
