import test from 'ava';
import { maskUrls, showValue } from '../../../../core/common/text/value.js';

for (const [text, masked] of [
  ['http://h:1/p?token=abc&b=&c=d', 'http://h:1/p?token=********&b=&c=********'],
  ['POST https://u:p/w@h/v1?k=s: refused', 'POST https://********@h/v1?k=********'],
  ['["http://h/?a=1","unix:///run/a.sock"]', '["http://h/?a=********","unix:///run/a.sock"]'],
  ['http://h/p#f and a?b=c', 'http://h/p#f and a?b=c'],
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
