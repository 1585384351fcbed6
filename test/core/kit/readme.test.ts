import { readFileSync } from 'node:fs';
import test from 'ava';
import * as kit from '../../../core/kit/index.js';

test('the README of the kit names every function and class with its arguments', (t) => {
  const readme = readFileSync('core/kit/README.md', 'utf8');
  const names = Object.entries(kit)
    .filter(([, value]) => typeof value === 'function')
    .map(([name]) => name);
  t.true(names.length > 50);
  t.deepEqual(
    names.filter((name) => !readme.includes(`${name}(`)),
    [],
  );
});
