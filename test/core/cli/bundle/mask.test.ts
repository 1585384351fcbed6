import { generateKeyPairSync } from 'node:crypto';
import test from 'ava';
import { createMask } from '../../../../core/cli/bundle/mask.js';
import { cpuTimeOf } from '../../../helpers/stopwatch.js';

const NOTHING = { values: new Set<string>(), keys: [] };

const CASES: readonly (readonly [text: string, masked: string])[] = [
  ['password: geheim1', 'password: ********'],
  ['"password":"ge\\u0068eim","a":1', '"password":"********","a":1'],
  [String.raw`{\"couchdb_password\":\"geheim\"}`, String.raw`{\"couchdb_password\":\"********\"}`],
  ["accessToken = 'a b c', x", "accessToken = '********', x"],
  ['CORE_LEDGER_STATE_COUCHDBCONFIG_PASSWORD=x', 'CORE_LEDGER_STATE_COUCHDBCONFIG_PASSWORD=********'],
  ['Authorization: Bearer abcdefgh12', 'Authorization: ********'],
  ['sent Basic YWRtaW46YWRtaW5wdw== to it', 'sent Basic ******** to it'],
  ['jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc_-1', 'jwt ********'],
  ['GET http://admin:adminpw@host:5984/_up?key=abc', 'GET http://********@host:5984/_up?key=********'],
  ['authorizationFile: "/etc/agent/token"', 'authorizationFile: "/etc/agent/token"'],
  ['consensus_tokens_total 5', 'consensus_tokens_total 5'],
  ['the token is invalid', 'the token is invalid'],
  ['a\n-----BEGIN EC PRIVATE KEY-----\nMHcCAQ\n-----END EC PRIVATE KEY-----\nb', 'a\n********\nb'],
  [
    String.raw`{"key":"-----BEGIN PRIVATE KEY-----\nMIGH\n-----END PRIVATE KEY-----\n"}`,
    String.raw`{"key":"********\n"}`,
  ],
  ['[x] AbC/+=\nabc=\n-----END PRIVATE KEY-----\nb', '[x]********\nb'],
  ['-----BEGIN PRIVATE KEY-----\nabc', '********'],
  [
    '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n',
    '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n',
  ],
];
for (const [text, masked] of CASES) {
  test(`without known secrets ${JSON.stringify(text)} is written as ${JSON.stringify(masked)}`, (t) => {
    t.is(createMask(NOTHING)(text).text, masked);
  });
}

test('a known secret is replaced wherever it is, also escaped or percent-encoded', (t) => {
  const mask = createMask({ ...NOTHING, values: new Set(['s<3cret/9', 'abc']) });
  t.is(
    mask('x s<3cret/9 s%3C3cret%2F9 s&lt;3cret/9 S<3CRET/9 abc').text,
    'x ******** ******** ******** ******** abc',
  );
});

test('each part of a known private key of 16 characters is replaced, without its first and last line too', (t) => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const body = pem.split('\n').slice(1, -2).join('');
  const mask = createMask({ ...NOTHING, keys: [pem] });
  const secret = body.slice(48);
  t.is(mask(`a ${body} b`).text, 'a ******** b');
  for (const text of [secret.slice(3, 19), secret.slice(20, 60), `x${secret.slice(40)}`])
    t.is(mask(`"${text}"`).text, '"********"');
  t.is(mask("MIGHAgEAMBMGByqGSM49AgEG").text, 'MIGHAgEAMBMGByqGSM49AgEG');
});

const HOSTILE: readonly (readonly [what: string, text: string])[] = [
  ['one word', 'a'.repeat(1_000_000)],
  ['beginnings of keys', '-----BEGIN PRIVATE KEY-----'.repeat(40_000)],
  ['ends of keys', 'abc -----END PRIVATE KEY-----'.repeat(40_000)],
  ['spaces', `password${' '.repeat(1_000_000)}`],
  ['slashes', '/'.repeat(1_000_000)],
  ['quotes', `password="`.repeat(100_000)],
];
for (const [what, text] of HOSTILE) {
  test(`a megabyte of ${what} is masked in linear time`, (t) => {
    const mask = createMask({ values: new Set(['geheim']), keys: [] });
    // A quadratic time would be minutes.
    t.true(cpuTimeOf(() => mask(text)) < 10_000);
  });
}
