// The log line for which scripts wait.

import test from 'ava';
import { startLine } from '../../../translator/cli/commands/start.js';

const TIME = new Date('2026-01-02T03:04:05.006Z');

test('without a terminal the line has no colours', (t) => {
  t.is(
    startLine('Serving', TIME, false),
    '2026-01-02 03:04:05.006 UTC 0001 INFO [configtxlator] startServer -> Serving\n',
  );
});

test('on a terminal the level and the function are blue', (t) => {
  t.is(
    startLine('Serving', TIME, true),
    '\u001b[34m2026-01-02 03:04:05.006 UTC 0001 INFO\u001b[0m [configtxlator] \u001b[34;1mstartServer\u001b[0m -> Serving\n',
  );
});
