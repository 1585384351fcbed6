import test from 'ava';
import { isWord, maskPaths, maskSegments, maskUrls, showValue } from '../../../../core/common/text/value.js';

for (const [text, masked] of [
  ['http://h:1/p?token=abc&b=&c=d', 'http://h:1/p?token=********&b=&c=********'],
  ['POST https://u:p/w@h/v1?k=s: refused', 'POST https://********@h/v1?k=********'],
  ['["http://h/?a=1","unix:///run/a.sock"]', '["http://h/?a=********","unix:///run/a.sock"]'],
  ['http://h/p#f and a?b=c', 'http://h/p#f and a?b=c'],
  ['http://u@h/', 'http://********@h/'],
  ['http://@h/ and a@b//c', 'http://@h/ and a@b//c'],
  ['http://h/?a=1;b=2#c=3', 'http://h/?a=********;b=********#c=3'],
] as const)
  test(`${text} is shown without secrets`, (t) => {
    t.true(maskUrls(text).startsWith(masked));
    t.false(/abc|p\/w/.test(maskUrls(text)));
  });

test('a value in a message is shown without the secrets of its URLs', (t) => {
  t.is(showValue({ url: 'http://u:p@h/?t=x' }), '{"url":"http://********@h/?t=********"}');
});

test('a word of two million characters without a URL is read once', (t) => {
  const text = 'a'.repeat(2_000_000);
  t.is(maskUrls(text), text);
});

for (const [value, shown] of [
  ['x'.repeat(198), `"${'x'.repeat(198)}"`],
  ['x'.repeat(199), `"${'x'.repeat(199)}…`],
  [Number.NaN, 'NaN'],
  [7n, '7'],
  [undefined, 'undefined'],
  [[1n], 'object'],
] as const)
  test(`a value of ${typeof value} is shown with ${shown.length} characters: ${shown.slice(0, 12)}`, (t) => {
    t.is(showValue(value), shown);
  });

for (const [text, masked] of [
  ['POST https://h/a/b failed', 'POST https://h/******** failed'],
  ['http://h', 'http://h'],
  ['http://h?a=1', 'http://h/********'],
] as const)
  test(`the path of ${text} is masked`, (t) => {
    t.is(maskPaths(text), masked);
  });

test('the segments of a path that can be tokens are masked', (t) => {
  t.is(
    maskSegments('http://h/services/T0000/s3cret12/abcdefghijklmnopq'),
    'http://h/services/T0000/********/********',
  );
});

for (const [segment, found] of [
  ['A1-_.2z', true],
  ['A1-_.2zz', false],
  ['services', true],
  ['abcdefghijklmnop', true],
  ['abcdefghijklmnopq', false],
  ['', true],
] as const)
  test(`'${segment}' is ${found ? 'a word' : 'no word'}`, (t) => {
    t.is(isWord(segment), found);
  });
