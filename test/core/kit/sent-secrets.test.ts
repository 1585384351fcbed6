import test from 'ava';
import { withoutSecrets } from '../../../core/kit/sent-secrets.js';

const PATH = '/services/T0000/B0000/s3cret"<key>&more?token=q%20val&v=1';
const HEADERS = {
  Authorization: `Basic ${Buffer.from('admin:pa+ss word').toString('base64')}`,
  'X-Api-Key': 'k3y-value',
  'Content-Type': 'application/json',
};
const SENT = { path: PATH, headers: HEADERS, secrets: ['R0UT1NG'] };

for (const [text, expected] of [
  ['no route for POST /services/T0000/B0000/s3cret"<key>&more', 'no route for POST …'],
  ['no route for /services/T0000/B0000/s3cret"<key>&more?token=q%20val&v=1!', 'no route for …?…!'],
  ['%2Fservices%2fT0000%2FB0000%2Fs3cret%22%3Ckey%3E%26more', '…'],
  ['%252Fservices%252FT0000%252FB0000%252Fs3cret%2522%253Ckey%253E%2526more', '…'],
  ['<pre>/services/T0000/B0000/s3cret&quot;&lt;key&gt;&amp;more</pre>', '<pre>…</pre>'],
  ['&#x2F;services&#47;T0000&#x2f;B0000&#x2F;s3cret&#34;&#60;key&#x3E;&#38;more', '…'],
  [String.raw`"\/services\/T0000\/B0000\/s3cret\"<key>\u0026more"`, '"…"'],
  ['the key s3cret"<key>&more is unknown', 'the key … is unknown'],
  ['token q val, q+val or q%20val', 'token …, … or …'],
  [`wrong ${HEADERS.Authorization}`, 'wrong …'],
  ['wrong password pa+ss word of admin', 'wrong password … of …'],
  ['X-Api-Key: K3Y-VALUE', 'X-Api-Key: …'],
  ['unknown routing key R0UT1NG', 'unknown routing key …'],
  ['services in T0000', 'services in T0000'],
  ['v=1, 1 error of application/json in T0000', 'v=1, 1 error of application/json in T0000'],
] as const)
  test(`the secrets of a request are not in ${JSON.stringify(text)}`, (t) => {
    t.is(withoutSecrets(text, SENT), expected);
  });

for (const [form, text] of [
  ['as it is', 'a1\nb2\tc3\rd4'],
  ['as in JSON', String.raw`a1\nb2\tc3\rd4`],
  ['as in JSON in JSON', String.raw`a1\\nb2\\tc3\\rd4`],
  ['as in JSON with code units', String.raw`a1\u000ab2\u0009c3\u000dd4`],
  ['as in HTML in hexadecimal', 'a1&#xA;b2&#x9;c3&#xD;d4'],
  ['as in HTML in hexadecimal with zeros', 'a1&#x0A;b2&#x0009;c3&#X00d;d4'],
  ['as in HTML in decimal', 'a1&#10;b2&#9;c3&#013;d4'],
  ['as in HTML in HTML', 'a1&amp;#10;b2&amp;amp;#x9;c3&amp;#13;d4'],
  ['percent-encoded', 'a1%0Ab2%09c3%0dd4'],
] as const)
  test(`a secret with control characters is replaced ${form}`, (t) => {
    const sent = { path: '/', headers: {}, secrets: ['a1\nb2\tc3\rd4'] };
    t.is(withoutSecrets(`x ${text} y`, sent), 'x … y');
  });

for (const [count, isReplaced] of [
  // 64, and the 15 before the escaped character after it.
  [79, true],
  [80, false],
] as const)
  test(`a backslash is ${isReplaced ? '' : 'not '}replaced where it is written ${count} times`, (t) => {
    const sent = { path: '/', headers: {}, secrets: [String.raw`ab\cd`] };
    const text = `x ab${'\\'.repeat(count)}cd y`;
    t.is(withoutSecrets(text, sent), isReplaced ? 'x … y' : text);
  });

for (const [count, isReplaced] of [
  [15, true],
  [16, false],
] as const)
  test(`a quote is ${isReplaced ? '' : 'only partly '}replaced with ${count} backslashes before it`, (t) => {
    const sent = { path: '/', headers: {}, secrets: ['ab"cd'] };
    const text = `x ab${'\\'.repeat(count)}"cd y`;
    t.is(withoutSecrets(text, sent), isReplaced ? 'x … y' : text);
  });

test('a value is compared up to 256 characters; only in a longer one the rest up to the next space is replaced', (t) => {
  const sent = (secret: string): Parameters<typeof withoutSecrets>[1] => ({
    path: '/',
    headers: {},
    secrets: [secret],
  });
  const value = 'z9'.repeat(128);
  t.is(withoutSecrets(`x ${value}-more y`, sent(value)), 'x …-more y');
  t.is(withoutSecrets(`x ${value}-more y`, sent(`${value}a`)), 'x … y');
});

test('the searched part of a text has 8,192 characters', (t) => {
  const sent = { path: '/', headers: { key: 'abcdefgh' } };
  t.is(withoutSecrets('x'.repeat(8192), sent).length, 8192);
  t.is(withoutSecrets('x'.repeat(8193), sent).length, 8192);
  t.is(withoutSecrets(`${'x'.repeat(8184)}abcdefgh`, sent), `${'x'.repeat(8184)}…`);
});

test('headers that describe the body are not secret, whatever their case', (t) => {
  const headers = {
    Accept: 'text/plain',
    'ACCEPT-ENCODING': 'identity',
    'content-encoding': 'gzip',
    'Content-Length': '12345',
    'content-type': 'text/html',
  };
  const text = 'text/plain identity gzip 12345 text/html';
  t.is(withoutSecrets(text, { path: '/', headers }), text);
});

test('a value of four characters is replaced, one of three is not', (t) => {
  const sent = { path: '/?key=k3y9&v=q7z', headers: {} };
  t.is(withoutSecrets('key k3y9 of q7z', sent), 'key … of q7z');
});

test('a long value is replaced up to the next space', (t) => {
  const token = 'x1'.repeat(2000);
  const headers = { Authorization: `Bearer ${token}` };
  t.is(withoutSecrets(`wrong token ${token} given`, { path: '/', headers }), 'wrong token … given');
});

test('a value that the end of the searched part cuts is not shown', (t) => {
  const sent = { path: '/', headers: { key: 'abcdefgh' } };
  const text = `${'abcdefgh'.repeat(1023)}1234567abcdefgh`;
  t.notRegex(withoutSecrets(text, sent).slice(0, 1100), /abcd/);
  t.false(withoutSecrets(text, sent).endsWith('a'));
});

test('a path that is not percent-encoded correctly is replaced as it is', (t) => {
  t.is(withoutSecrets('no /100%secret here', { path: '/100%secret', headers: {} }), 'no … here');
});

test('of two values, one of which begins with the other, the longer one is replaced', (t) => {
  for (const secrets of [
    ['abcd', 'abcdefgh'],
    ['abcdefgh', 'abcd'],
  ])
    t.is(withoutSecrets('no abcdefgh or abcd', { path: '/', headers: {}, secrets }), 'no … or …');
});
