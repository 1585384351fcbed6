import test from 'ava';
import { nearest, suggestion } from '../../config/nearest.js';

const KNOWN = ['listenAddress', 'tls', 'clientAuthRequired', 'clientRootCAs'];

const NEAR: readonly (readonly [string, string | undefined])[] = [
  ['listenAdress', 'listenAddress'],
  ['LISTENADDRESS', 'listenAddress'],
  ['tsl', 'tls'],
  ['rootCAs', 'clientRootCAs'],
  ['clientAuthEnabled', 'clientAuthRequired'],
  ['x', undefined],
  ['abc', undefined],
  ['', undefined],
  ['__proto__', undefined],
];
for (const [word, expected] of NEAR) {
  test(`the nearest known word to '${word}' is ${expected ?? 'none'}`, (t) => {
    t.is(nearest(word, KNOWN), expected);
  });
}

test('a suggestion names the nearest word, or all known ones in order, or says that there are none', (t) => {
  t.is(suggestion('tsl', KNOWN), 'did you mean tls?');
  t.is(suggestion('something', KNOWN), 'known here: clientAuthRequired, clientRootCAs, listenAddress, tls');
  t.is(suggestion('something', []), 'none is known here');
});

test('a very long word is compared in bounded time', (t) => {
  t.is(nearest('x'.repeat(1_000_000), KNOWN), undefined);
});
