import test from 'ava';
import { nearest, suggestion } from '../../../../core/common/text/nearest.js';

const KEYS = ['listenAddress', 'tls', 'clientAuthRequired', 'clientRootCAs'];
const MESSAGES = ['common.Block', 'common.BlockData', 'protos.Block', 'common.Config', 'msp.MSPConfig'];

const CASES: readonly (readonly [word: string, candidates: readonly string[], near: readonly string[]])[] = [
  ['listenAdress', KEYS, ['listenAddress']],
  ['LISTENADDRESS', KEYS, ['listenAddress']],
  ['operations.listenAddress', KEYS, ['listenAddress']],
  ['tsl', KEYS, ['tls']],
  ['rootCAs', KEYS, ['clientRootCAs']],
  ['clientAuthEnabled', KEYS, ['clientAuthRequired']],
  ['client', KEYS, ['clientAuthRequired', 'clientRootCAs']],
  ['cli', KEYS, ['clientAuthRequired', 'clientRootCAs']],
  ['--confg', ['config', 'start'], ['config']],
  ['start', ['--start'], ['--start']],
  ['x', KEYS, []],
  ['abc', KEYS, []],
  ['', KEYS, []],
  ['', ['a', 'ab'], []],
  ['__proto__', KEYS, []],
  ['Block', MESSAGES, ['common.Block', 'protos.Block']],
  ['x.y.BLOCK', MESSAGES, ['common.Block', 'protos.Block']],
  ['common.block', MESSAGES, ['common.Block']],
  ['common.BlockDta', MESSAGES, ['common.BlockData']],
  ['common.Konfig', MESSAGES, ['common.Config']],
  ['common.', MESSAGES, []],
  ['zzz', MESSAGES, []],
];
for (const [word, candidates, near] of CASES) {
  test(`nearest to '${word}' in ${candidates.join(', ')}: ${near.join(', ') || 'none'}`, (t) => {
    t.deepEqual(nearest(word, candidates), near);
  });
}

test('returns at most three candidates', (t) => {
  t.deepEqual(nearest('x.A', ['a.A', 'b.A', 'c.A', 'd.A']), ['a.A', 'b.A', 'c.A']);
});

test('returns nothing for words of more than 100 characters', (t) => {
  t.deepEqual(nearest(`${'x'.repeat(94)}.Block`, MESSAGES), ['common.Block', 'protos.Block']);
  t.deepEqual(nearest(`${'x'.repeat(95)}.Block`, MESSAGES), []);
  t.deepEqual(nearest('x'.repeat(10_000_000), MESSAGES), []);
});

test('a suggestion names the nearest words, or all known ones in order, or says that there are none', (t) => {
  t.is(suggestion('tsl', KEYS), 'did you mean tls?');
  t.is(suggestion('client', KEYS), 'did you mean clientAuthRequired or clientRootCAs?');
  t.is(
    suggestion('something', KEYS),
    'expected one of clientAuthRequired, clientRootCAs, listenAddress, tls',
  );
  t.is(suggestion('something', []), 'none is allowed here');
});

test('a name that is known twice is listed once', (t) => {
  t.is(suggestion('qqqqq', ['http', 'exec', 'http', 'exec']), 'expected one of exec, http');
});

test('a close name that is known twice is suggested once', (t) => {
  t.is(suggestion('htp', ['http', 'exec', 'http']), 'did you mean http?');
});
