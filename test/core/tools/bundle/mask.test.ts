import { generateKeyPairSync } from 'node:crypto';
import test from 'ava';
import { createMask } from '../../../../core/tools/bundle/mask.js';
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
  ['[x] AbC/+=\nabc=\n-----END PRIVATE KEY-----\nb', '********\nb'],
  ['admin:adminpw@couchdb0:5984/_up', 'admin:********@couchdb0:5984/_up'],
  ['fabric-ca-client enroll -b admin:adminpw -u x', 'fabric-ca-client enroll -b admin:********'],
  ['["curl","-u","admin:adminpw","x"]', '["curl","-u","admin:********","x"]'],
  ['POST https://hooks.slack.com/services/T0/B0/x: 200', 'POST https://hooks.slack.com/******** 200'],
  ['POST https://chat.example.com/hooks/abcdef', 'POST https://chat.example.com/********'],
  ['GET https://api.telegram.org/bot12:ab/send', 'GET https://api.telegram.org/********'],
  ['Authorization: Negotiate YIIZ ab', 'Authorization: ********'],
  ['Authorization: Bearer\n  abc', 'Authorization: Bearer\n  ********'],
  ['< Set-Cookie: AuthSession=YWRtaW4; Version=1', '< Set-Cookie: ********'],
  ['sent Negotiate YIIZab12/+== to it', 'sent Negotiate ******** to it'],
  ['postgres://u:p@h/db and u:p@tcp(h:1)/db', 'postgres://********@h/db and u:********@tcp(h:1)/db'],
  ['admin = -pbkdf2-aa11,bb,10 x', 'admin = ******** x'],
  ['root:$6$abcdefgh$ijkl:1', 'root:********'],
  ['token xoxb-123456789-abc used', 'token ******** used'],
  ['{"kty":"EC","d":"abcdefghijklmnopqrstuvwx","x":"y"}', '{"kty":"EC","d":"********","x":"y"}'],
  ['using password hunter2 for it', 'using password ******** for it'],
  ['api key: a b', 'api key: ********'],
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

/** Lines of Fabric's nodes and of others that have no secret. */
const HARMLESS: readonly string[] = [
  '2026-11-26 01:46:20.397 UTC 001f INFO [discovery] NewService -> Created with config TLS: true, authCacheMaxSize: 1000',
  '2026-11-26 01:46:20.397 UTC 0020 INFO [comm.grpc.server] 1 -> unary call completed grpc.service=protos.Deliver grpc.method=Deliver grpc.code=OK',
  '    PrivateKey: tls/server.key',
  'General.TLS.PrivateKey = "/var/hyperledger/orderer/tls/server.key"',
  'ORDERER_GENERAL_TLS_PRIVATEKEY=/var/hyperledger/orderer/tls/server.key',
  'General.BCCSP.PKCS11.Pin = ""',
  '{"password":null,"tokenRequired":true}',
  'password: "********"    # env',
  'basic authentication failed for this user',
  'the password is not correct',
  'hyperledger/fabric-ccenv:3.1@sha256:0123456789abcdef',
  'run -u 1000:1000 image',
  'see https://hyperledger-fabric.readthedocs.io/en/latest/ and http://127.0.0.1:9443/healthz',
  'block 12 digest e3b0c44298fc1c149afbf4c8996fb924 of channel ch1',
  'passed: 5, compass: north, spinning: yes, author: a, signature: b',
  '-----BEGIN CERTIFICATE-----\nMIICKDCCAc6gAwIBAgIQAvlaXIuQhQbZ7J1cZ3ZqNzAKBggqhkjOPQQDAjBzMQsw\n-----END CERTIFICATE-----',
];
for (const text of HARMLESS) {
  test(`without a secret ${JSON.stringify(text)} is written as it is`, (t) => {
    t.deepEqual(createMask(NOTHING)(text), { text, count: 0 });
  });
}

/** Forms of a key in a text. */
const FORMS_OF_KEYS: readonly (readonly [what: string, write: (pem: string) => string])[] = [
  ['as it is', (pem) => pem],
  ['with a prefix of each line', (pem) => pem.replaceAll(/^/gm, '2026-11-25 [peer] ')],
  ['with other lines between', (pem) => pem.replaceAll('\n', '\n2026-11-25 INFO [x] y -> {z}\n')],
  [
    'as JSON of each line',
    (pem) =>
      pem
        .split('\n')
        .map((line) => JSON.stringify({ log: `${line}\n` }))
        .join('\n'),
  ],
  ['with escaped line ends', (pem) => JSON.stringify({ key: pem })],
  ['as JSON in JSON', (pem) => JSON.stringify({ log: JSON.stringify({ key: pem }) })],
  ['with CR LF', (pem) => pem.replaceAll('\n', '\r\n')],
  ['percent-encoded', (pem) => `key=${encodeURIComponent(pem)}`],
  ['as base64', (pem) => `data: ${Buffer.from(pem).toString('base64')}`],
  ['on one line', (pem) => pem.replaceAll('\n', ' ')],
  [
    'without the first line, as in the end of a log',
    (pem) => pem.replaceAll(/^/gm, '[peer] ').replace(/^.*\n/, ''),
  ],
  ['without the last line', (pem) => pem.replaceAll(/^/gm, '[peer] ').replace(/\n.*\n.*$/, '')],
];
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const PASSPHRASE = { cipher: 'aes-256-cbc', passphrase: 'x' } as const;
const KEYS: readonly (readonly [what: string, pem: string | Buffer])[] = [
  ['PKCS#8', ec.export({ type: 'pkcs8', format: 'pem' })],
  ['SEC 1', ec.export({ type: 'sec1', format: 'pem' })],
  ['PKCS#8 with a password', ec.export({ type: 'pkcs8', format: 'pem', ...PASSPHRASE })],
  ['SEC 1 with a password', ec.export({ type: 'sec1', format: 'pem', ...PASSPHRASE })],
  [
    'RSA',
    generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs1', format: 'pem' }),
  ],
];
for (const [what, key] of KEYS)
  for (const [form, write] of FORMS_OF_KEYS)
    test(`nothing is left of an unknown private key (${what}) ${form}`, (t) => {
      const pem = key.toString().trim();
      const masked = createMask(NOTHING)(`before\n${write(pem)}\nafter\n`).text;
      const body = pem.split('\n').filter((line) => /^[\w+/=]{24,}$/.test(line));
      const secrets = [
        ...body,
        ...body.map((line) => encodeURIComponent(line)),
        Buffer.from(pem).toString('base64').slice(60),
      ];
      for (const secret of secrets) t.false(masked.includes(secret.slice(0, 24)), masked);
    });

test('of a key that never ends 32 KiB are masked, and the lines after them are left', (t) => {
  const text = `-----BEGIN PRIVATE KEY-----\n${'line\n'.repeat(10_000)}`;
  t.is(createMask(NOTHING)(text).text.length, 8 + text.length - 32 * 1024);
});

const KEY_LIMIT = 32 * 1024;
const BEGIN = '-----BEGIN PRIVATE KEY-----';
const END = '-----END PRIVATE KEY-----';
const lines = (count: number): string => 'line\n'.repeat(count);

test('before the last line of a key without a first line 32 KiB are masked, and the text before them is left', (t) => {
  const text = `${lines(10_000)}${END}\nafter\n`;
  const { text: masked, count } = createMask(NOTHING)(text);
  t.is(count, 1);
  t.is(masked, `${text.slice(0, 50_000 - KEY_LIMIT)}********\nafter\n`);
});

test('a last line more than 32 KiB after a first line belongs to another key', (t) => {
  const text = `${BEGIN}\n${lines(20_000)}${END}\nafter\n`;
  const { text: masked, count } = createMask(NOTHING)(text);
  t.is(count, 2);
  const rest = text.slice(KEY_LIMIT, BEGIN.length + 1 + 100_000 - KEY_LIMIT);
  t.is(masked, `********${rest}********\nafter\n`);
});

test('the text after a key is not a part of the next one, and a second first line does not begin another key', (t) => {
  t.is(
    createMask(NOTHING)(`${BEGIN}\na\n${END}\nbetween\n${BEGIN}\nb\n${BEGIN}\nc\n${END}\nafter`).text,
    '********\nbetween\n********\nafter',
  );
  t.is(createMask(NOTHING)(`${BEGIN}\na\n${END}\nbetween\n${END}\nafter`).text, '********\nafter');
});

test('the base64 of another PEM file is left', (t) => {
  const certificate = Buffer.from('-----BEGIN CERTIFICATE-----\nMIIBabcdefghijklmnopqrstuvwxyz\n').toString(
    'base64',
  );
  t.is(createMask(NOTHING)(`data: ${certificate}`).text, `data: ${certificate}`);
});

for (const weak of ['password', 'secret', 'word', 'couchdb', 'a b', 'pass word', '": "', 'PASSWORD'])
  test(`with the known secret ${JSON.stringify(weak)} all others are masked, and their names are left`, (t) => {
    const mask = createMask({ ...NOTHING, values: new Set([weak]) });
    t.is(mask('{"couchdb_password":"geheim","x":1}').text, '{"couchdb_password":"********","x":1}');
    t.is(mask('PASSWORD=geheim').text, 'PASSWORD=********');
    t.is(mask('program --password geheim').text, 'program --password ********');
  });

test('a known secret is replaced where it looks like a name', (t) => {
  const mask = createMask({ ...NOTHING, values: new Set(['my-token-93']) });
  t.is(mask('tried my-token-93: refused').text, 'tried ********: ********');
});

test('a known secret is found in base64, whatever is before it', (t) => {
  const mask = createMask({ ...NOTHING, values: new Set(['geheim-1234']) });
  for (const user of ['a', 'ab', 'abc'])
    t.is(
      mask(`x ${Buffer.from(`${user}:geheim-1234`).toString('base64')} y`).text.replace(/ \w+\*/, ' *'),
      'x ******** y',
    );
});

for (const encoding of ['base64', 'base64url'] as const)
  test(`a known secret whose base64 has a plus sign and a slash is found in ${encoding}`, (t) => {
    const secret = 'ab>>>???cd';
    t.regex(Buffer.from(secret).toString('base64'), /\+.*\//);
    const mask = createMask({ ...NOTHING, values: new Set([secret]) });
    t.is(mask(`x ${Buffer.from(secret).toString(encoding)} y`).text.replace(/ \w+\*/, ' *'), 'x ******** y');
  });

test('a known secret with fewer than eight characters of base64 is not searched there', (t) => {
  const mask = createMask({ ...NOTHING, values: new Set(['abcd', 'abcdef']) });
  // The last character of `YWJjZA` shares its bits with the text after it.
  t.is(mask('x YWJjZA== y').text, 'x YWJjZA== y');
  t.is(mask('x YWJjZGVm y').text, 'x ******** y');
});

test('a known secret of two lines with quotes is found in JSON in JSON', (t) => {
  const secret = 'one"\ntwo\\three';
  const mask = createMask({ ...NOTHING, values: new Set([secret]) });
  t.is(mask(JSON.stringify(`x ${secret} y`)).text, '"x ******** y"');
  t.is(mask(JSON.stringify(JSON.stringify(secret))).text, String.raw`"\"********\""`);
});

test('a known secret of 4 characters is replaced, one of 3 is not', (t) => {
  const mask = createMask({ ...NOTHING, values: new Set(['k9x4', 'k9y']) });
  t.is(mask('x k9x4 k9y').text, 'x ******** k9y');
});

test('masked values are counted', (t) => {
  t.deepEqual(createMask(NOTHING)('{"password":"a","token":"b"} http://u:p@h/'), {
    text: '{"password":"********","token":"********"} http://********@h/',
    count: 3,
  });
});

test('of more than twenty known secrets each is replaced', (t) => {
  const values = Array.from({ length: 41 }, (_, index) => `k9x-${index}z`);
  const mask = createMask({ ...NOTHING, values: new Set(values) });
  t.is(mask(`a ${values.join(' ')} b`).text, `a ${values.map(() => '********').join(' ')} b`);
  t.is(mask(values.map((value) => Buffer.from(value).toString('base64')).join(' ')).count, 41);
});

/** Values at the limits of what belongs to a value, and the text that is left of them. */
const LIMITS: readonly (readonly [what: string, text: string, masked: string])[] = [
  [
    'a value in quotes of 16 KiB',
    `"password":"${'x'.repeat(16 * 1024 - 1)}","a":1`,
    '"password":"********","a":1',
  ],
  [
    'a value in quotes that is longer than 16 KiB, to the end of its line',
    `"password":"${'x'.repeat(17 * 1024)}y","a":1\nnext`,
    '"password":"********\nnext',
  ],
  [
    'a list without an end, to the end of its line',
    `"password":[${'1,'.repeat(9 * 1024)}\nnext`,
    '"password":[********\nnext',
  ],
  ['a value in quotes of 21 lines', `password: "${'x\n'.repeat(20)}y" z`, 'password: "********" z'],
  [
    'of a value in quotes with more lines 22',
    `password: "${'x\n'.repeat(22)}y" z`,
    'password: "********\ny" z',
  ],
  [
    'twenty deeper lines after a name',
    `password:\n${'  x\n'.repeat(20)}`,
    `password:\n${'  ********\n'.repeat(20)}`,
  ],
  [
    'of more deeper lines twenty',
    `password:\n${'  x\n'.repeat(21)}`,
    `password:\n${'  ********\n'.repeat(20)}  x\n`,
  ],
  [
    'brackets in brackets and in strings',
    '{"password":{"a":["]","}"],"b":{"c":1}},"d":2}',
    '{"password":{********},"d":2}',
  ],
  ['a number in JSON', '{"pin":1234,"a":5}', '{"pin":********,"a":5}'],
  [
    'the text of an element up to the next one',
    '<password>a b</password><c>',
    '<password>********</password><c>',
  ],
  [
    'the text of an element that does not end, up to the end of the line',
    '<password>a b\nc',
    '<password>********\nc',
  ],
  [
    'the value of a name in a query, and no other',
    '/x?token=a&b=c&pin=d#e',
    '/x?token=********&b=c&pin=********#e',
  ],
  [
    'a value after a name and its value',
    '{"name":"password","value":"geheim","a":"b"}',
    '{"name":"password","value":"********","a":"b"}',
  ],
  ['no value of another name', '{"name":"user","value":"anna"}', '{"name":"user","value":"anna"}'],
  ['no words without a digit', 'the password hunter is here', 'the password hunter is here'],
  ['a word with a digit of six characters', 'the token abcde1 is here', 'the token ******** is here'],
  ['no word with a digit of five characters', 'the token abcd1 is here', 'the token abcd1 is here'],
  ['no key file', 'privateKey: a/b.key', 'privateKey: a/b.key'],
];
for (const [what, text, masked] of LIMITS)
  test(`masked is ${what}`, (t) => {
    t.is(createMask(NOTHING)(text).text, masked);
  });

test('the colours of a terminal are removed', (t) => {
  t.is(createMask(NOTHING)('\u001b[34mINFO\u001b[0m started').text, 'INFO started');
});

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
  t.is(mask('MIGHAgEAMBMGByqGSM49AgEG').text, 'MIGHAgEAMBMGByqGSM49AgEG');
});

/** Each is repeated to a megabyte. */
const HOSTILE: readonly string[] = [
  'a',
  '-----BEGIN PRIVATE KEY-----',
  'abc -----END PRIVATE KEY-----',
  ' ',
  '/',
  '\\',
  '"',
  'password ',
  'password="',
  '"password: ",',
  '"password":["',
  'password:\n',
  'password: \\\n',
  '<password>',
  'name: password ',
  'hook',
  'a/',
  'a:b@',
  '-u a:',
  '-eyJaaaaaaaa.',
  'http://',
  '?a=',
  '""',
  String.raw`'\''`,
  '\u001b[1',
];
for (const part of HOSTILE)
  for (const start of ['', '{"password":"'])
    test(`a megabyte of ${JSON.stringify(part)} after ${JSON.stringify(start)} is masked in linear time`, (t) => {
      const mask = createMask({ values: new Set(['geheim', 'a'.repeat(200), '\\'.repeat(60)]), keys: [] });
      const text = start + part.repeat(1_000_000 / part.length);
      // A quadratic time would be minutes.
      t.true(cpuTimeOf(() => mask(text)) < 10_000);
    });
