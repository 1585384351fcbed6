// URLs as Go parses them: what is refused is recorded from MSPs of Fabric 3.0.0 (Go 1.23) and 3.1.5 (Go 1.26).

import test from 'ava';
import {
  goQuote,
  goQuoteBytes,
  isIpText,
  isIpWithZone,
  parseGoUrl,
} from '../../../translator/msp/go-text.js';

/** The host, or the problem after an exclamation mark: in Go 1.23, and in Go 1.26 if it is another one. */
const URLS: readonly (readonly [url: string, old: string, newest?: string])[] = [
  ['http://x y/', '!invalid character " " in host name'],
  ['http://a\x7fb/', '!net/url: invalid control character in URL'],
  [':x', '!missing protocol scheme'],
  ['1a:b', '!first path segment in URL cannot contain colon'],
  ['a:b:c', ''],
  ['x:y', ''],
  ['./x:y', ''],
  ['/x:y', ''],
  ['//h/p', 'h'],
  ['///h/p', ''],
  ['a:///h/p', ''],
  ['a:////h', ''],
  ['http://h%41/', '!invalid URL escape "%41"'],
  ['http://h%2541/', 'h%41'],
  ['http://h%c3%a9/', 'hÃ©'],
  ['http://h%zz/', '!invalid URL escape "%zz"'],
  ['http://h%2/', '!invalid URL escape "%2"'],
  ['http://h/%zz', '!invalid URL escape "%zz"'],
  ['http://h/%4', '!invalid URL escape "%4"'],
  ['http://h/#%zz', '!invalid URL escape "%zz"'],
  ['http://h/?%zz', 'h'],
  ['http://h:80/', 'h:80'],
  ['http://h:8a/', '!invalid port ":8a" after host'],
  ['http://h:/', 'h:'],
  ['http://[::1/', "!missing ']' in host"],
  ['http://[::1]x/', '!invalid port "x" after host'],
  ['http://[::1]:8a/', '!invalid port ":8a" after host'],
  ['http://u@h/', 'h'],
  ['http://u:p@h/', 'h'],
  ['http://u<@h/', '!net/url: invalid userinfo'],
  ['http://u%zz@h/', '!invalid URL escape "%zz"'],
  ['http://u@v@h/', 'h'],
  ['http://h{/', '!invalid character "{" in host name'],
  ['http://h"/', 'h"'],
  ['http://<h>/', '<h>'],
  ['http://a..b/', 'a..b'],
  ['http://.b/', '.b'],
  ['http://b./', 'b.'],
  ['http://x[::1]/', '!invalid port ":1]" after host', '!invalid IP-literal'],
  ['http://[1.2.3.4]/', '[1.2.3.4]', '!invalid IP-literal'],
  ['http://[]/', '[]', '!invalid host: ParseAddr(""): unable to parse IP'],
  ['http://[fe80::1%41]/', '!invalid URL escape "%41"'],
  ['http://h\\/', '!invalid character "\\\\" in host name'],
  ['', ''],
  ['?x', ''],
  ['#x', ''],
  ['http:', ''],
  ['http:/x', ''],
  ['http://', ''],
  ['h+t.p-1://h', 'h'],
  ['h_t://h', '!first path segment in URL cannot contain colon'],
  ['http://h?x', 'h'],
  ['http://h#x', 'h'],
  ['http://h%c3/', 'hÃ'],
  ['//h:80:90/', 'h:80:90'],
  ['http://[::1]', '[::1]'],
  ['http://h:99999999/', 'h:99999999'],
  ['http://?x', ''],
  ["http://h$&'()*+,;=:1/", "h$&'()*+,;=:1"],
  ['a%41:b', '!first path segment in URL cannot contain colon'],
  ['a b:c', '!first path segment in URL cannot contain colon'],
  ['http://[::ffff:1.2.3.4]/', '[::ffff:1.2.3.4]'],
  ['http://[1:2:3:4:5:6:7:8]/', '[1:2:3:4:5:6:7:8]'],
  ['http://[::%25a]/', '[::%a]'],
  ['x://a:b:80', 'a:b:80'],
  ['//a:b:80', 'a:b:80'],
  ['HTTPS://a:b:80', 'a:b:80', '!invalid port ":b:80" after host'],
  ['x://a:b:c', '!invalid port ":c" after host'],
  ['http://a:b:c', '!invalid port ":c" after host', '!invalid port ":b:c" after host'],
  ['http://x[::1', 'x[::1', '!invalid IP-literal'],
];

for (const [url, old, newest = old] of URLS)
  for (const [go, expected] of [
    ['1.23', old],
    ['1.26', newest],
  ] as const)
    test(`the host of the URL ${JSON.stringify(url)} is, in Go ${go}, ${JSON.stringify(expected)}`, (t) => {
      t.deepEqual(
        parseGoUrl(url, go),
        expected.startsWith('!')
          ? { problem: `parse ${goQuote(url)}: ${expected.slice(1)}` }
          : { host: expected },
      );
    });

test('Go 1.25.2 refuses a host in brackets that is no address of IPv6, but not several colons', (t) => {
  t.deepEqual(parseGoUrl('http://[x]/', '1.25'), {
    problem: 'parse "http://[x]/": invalid host: ParseAddr("x"): unable to parse IP',
  });
  t.deepEqual(parseGoUrl('http://[x]/', '1.24'), { host: '[x]' });
  t.deepEqual(parseGoUrl('http://a:b:80/', '1.25'), { host: 'a:b:80' });
});

for (const [text, quoted] of [
  ['a b~', '"a b~"'],
  ['\x07\b\f\n\r\t\v', String.raw`"\a\b\f\n\r\t\v"`],
  ['"\\', String.raw`"\"\\"`],
  ['\0\x1f\x7f\x80\xff', String.raw`"\x00\x1f\x7f\x80\xff"`],
] as const)
  test(`Go quotes the bytes ${JSON.stringify(text)} as ${quoted}`, (t) => {
    t.is(goQuote(text), quoted);
  });

test('valid UTF-8 is quoted as characters, other bytes as numbers', (t) => {
  t.is(goQuoteBytes(Buffer.from('é')), '"é"');
  t.is(goQuoteBytes(Buffer.of(0x61, 0xe9)), String.raw`"a\xe9"`);
});

for (const [text, is, isWithZone = is] of [
  ['1.2.3.4', true],
  ['255.255.255.255', true],
  ['256.1.1.1', false],
  ['1.2.3', false],
  ['1.2.3.4.', false],
  ['1.2.3.4.5', false],
  ['01.2.3.4', false],
  ['1.2.3.4%a', false],
  ['::', true],
  ['::1', true],
  ['::g', false],
  ['1:2:3:4:5:6:7:8', true],
  ['1:2:3:4:5:6:7:8:9', false],
  ['12345::', false],
  ['::1.2.3.4', true],
  ['fe80::1%eth0', false, true],
  ['fe80::1%', false],
  ['', false],
  ['a', false],
  ['a:b', false],
] as const)
  test(`"${text}" is ${is ? 'an' : 'no'} address of IP without a zone, and ${isWithZone ? 'an' : 'no'} address with or without one`, (t) => {
    t.is(isIpText(text), is);
    t.is(isIpWithZone(text), isWithZone);
  });
