// What a plugin imports is kept for years, so its number of names grows only on purpose.

import test from 'ava';
import { exportedNames, subpaths } from './helpers/exported-names.js';

/** Most names that a subpath for plugins exports. */
const LIMITS: Readonly<Record<string, number>> = {
  './plugin': 52,
  './kit': 40,
  './kit/metrics': 19,
  './kit/notifier': 9,
  './testing': 24,
};

for (const [subpath, most] of Object.entries(LIMITS))
  test(`fabric-ops-agent/${subpath.slice(2)} exports at most ${most} names`, (t) => {
    const names = exportedNames(subpaths().get(subpath) ?? '');
    t.true(names.length > 0 && names.length <= most, `${names.length}: ${names.join(', ')}`);
  });
