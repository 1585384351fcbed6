import { readFileSync } from 'node:fs';
import test from 'ava';
import { withFigures } from './readme.js';
import { row, table } from './report.js';

test('the README has a place for figures, and what is there is replaced', (t) => {
  const readme = readFileSync('README.md', 'utf8');
  const once = withFigures(readme, 'first figures');
  t.true(once.includes('\nfirst figures\n'));
  const twice = withFigures(once, 'second figures');
  t.false(twice.includes('first figures'));
  t.is(withFigures(twice, 'first figures'), once);
});

test('a document without a place for figures is left alone', (t) => {
  t.throws(() => withFigures('# Title\n', 'figures'), { message: /^there is no place for figures: / });
});

test('a figure is beside its budget, and one that is missed says so', (t) => {
  const lines = table([row('kept work', 1.2, '<=', 1.5, '3 ms'), row('slow work', 0.4, '>=', 0.5, '')]).split(
    '\n',
  );
  t.deepEqual(lines.slice(2), [
    '| kept work | 1.20 | <= 1.5 | kept | 3 ms |',
    '| slow work | 0.40 | >= 0.5 | MISSED |  |',
  ]);
});
