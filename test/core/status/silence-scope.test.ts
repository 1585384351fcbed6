// What a silence covers, in words.

import test from 'ava';
import { scopeText } from '../../../core/status/silence-scope.js';

for (const [scope, text] of [
  [{}, 'all nodes and channels'],
  [{ node: 'peer0' }, 'peer0'],
  [{ channel: 'ch1' }, 'the channel ch1'],
  [{ node: 'peer0', channel: 'ch1' }, 'peer0 in ch1'],
  [{ node: 'a\nb', channel: 'c\u202ed' }, String.raw`a\nb in c\u202ed`],
  [{ channel: 'c\nd' }, String.raw`the channel c\nd`],
] as const)
  test(`a silence of ${JSON.stringify(scope)} is about ${text}`, (t) => {
    t.is(scopeText(scope), text);
  });
