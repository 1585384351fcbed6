import { readFileSync } from 'node:fs';
import test from 'ava';
import * as kit from '../../../core/kit/index.js';
import * as metrics from '../../../core/kit/metrics.js';
import * as notifier from '../../../core/kit/notifier.js';

test('the README of the kit names every function and class', (t) => {
  const readme = readFileSync('core/kit/README.md', 'utf8');
  const names = Object.entries({ ...kit, ...metrics, ...notifier })
    .filter(([, value]) => typeof value === 'function')
    .map(([name]) => name);
  t.true(names.length > 40);
  t.deepEqual(
    names.filter((name) => !new RegExp(`\\b${name}\\b`).test(readme)),
    [],
  );
});
