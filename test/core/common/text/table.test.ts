import test from 'ava';
import { table } from '../../../../core/common/text/table.js';

test('columns begin at the same position, and the last one is not padded', (t) => {
  t.deepEqual(
    table([
      ['a', 'bbb', 'c'],
      ['aaa', 'b', ''],
    ]),
    ['  a    bbb  c', '  aaa  b'],
  );
});

test('the last cell of a short row widens no column', (t) => {
  t.deepEqual(table([['a long cell'], ['a', 'b']], ''), ['a long cell', 'a  b']);
});

for (const [length, position] of [
  [44, 46],
  [45, 46],
] as const)
  test(`beside a cell of ${length} characters the next column begins at ${position}`, (t) => {
    const [, row] = table(
      [
        ['x'.repeat(length), 'y'],
        ['x', 'y'],
      ],
      '',
    );
    t.is(row!.indexOf('y'), position);
  });

test('no rows are no lines', (t) => {
  t.deepEqual(table([]), []);
});
