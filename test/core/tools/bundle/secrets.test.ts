// The secrets that a bundle knows.

import { join } from 'node:path';
import test from 'ava';
import { collectSecrets } from '../../../../core/tools/bundle/secrets.js';
import type { Process } from '../../../../core/cli/command.js';
import { temporaryFolder } from '../../../helpers/folder.js';

const NOTHING = { loaded: undefined, plugins: [], files: [] };

/** What is known with these variables and files. */
const secretsWith = (
  environment: Readonly<Record<string, string>>,
  files: readonly string[] = [],
  cwd = '/',
): ReturnType<typeof collectSecrets> =>
  collectSecrets({ ...NOTHING, files }, { environment, cwd } as unknown as Process);

for (const [count, known] of [
  [499, 499],
  [500, 500],
  [501, 500],
] as const)
  test(`of ${count} secrets in variables ${known} are known`, (t) => {
    const variables = Array.from({ length: count }, (_, index) => [`TOKEN_${index}`, `value-${index}`]);
    t.is(secretsWith(Object.fromEntries(variables) as Record<string, string>).values.size, known);
  });

for (const [name, value, isKnown] of [
  ['CORE_LEDGER_STATE_COUCHDBCONFIG_PASSWORD', 'k9x4', true],
  ['CORE_LEDGER_STATE_COUCHDBCONFIG_PASSWORD', 'k9x', false],
  ['CORE_PEER_ID', 'k9x4', false],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'key=k9x4', true],
  ['CLIENT_TOKEN', 'True', false],
  ['CLIENT_TOKEN', 'required', false],
  ['PWD', '/', false],
  ['CLIENT_PWD', '/no/such/directory', true],
] as const)
  test(`the variable ${name}=${value} is ${isKnown ? 'a secret' : 'no secret'}`, (t) => {
    t.deepEqual([...secretsWith({ [name]: value }).values], isKnown ? [value] : []);
  });

test('secrets in files are known: names in YAML and in other texts, passwords in URLs, and private keys', (t) => {
  const key = '-----BEGIN PRIVATE KEY-----\nMIGH\n-----END PRIVATE KEY-----\n';
  const cwd = temporaryFolder(t, {
    'core.yaml': 'a:\n  password: [one1, 2222]\n  user: none\n  url: http://admin:three3@host/\n',
    'variables.env': `CLIENT_SECRET="four4"\nUSER=five5\n`,
    'key.pem': key,
  });
  const files = ['core.yaml', 'variables.env', 'key.pem', 'missing.yaml'].map((name) => join(cwd, name));
  const { values, keys } = secretsWith({}, files, cwd);
  const found = [...values].filter((value) => /^(?:one1|2222|three3|four4|five5|none)$/.test(value));
  t.deepEqual(found.toSorted(), ['2222', 'four4', 'one1', 'three3']);
  t.deepEqual(keys, [key]);
});

for (const [size, known] of [
  [1024 * 1024, ['k9x4']],
  [1024 * 1024 + 1, []],
] as const)
  test(`of a file of ${size} bytes ${known.length === 1 ? 'the secrets are known' : 'none is known, because it is too large'}`, (t) => {
    const cwd = temporaryFolder(t, { 'a.env': 'CLIENT_TOKEN=k9x4\n'.padEnd(size) });
    t.deepEqual([...secretsWith({}, [join(cwd, 'a.env')], cwd).values], [...known]);
  });

for (const [line, known] of [
  ["secret: 'k9x4'", ['k9x4']],
  ['secret = "k9 x4" # c', ['k9 x4']],
  ['secret: !!str &a k9x4', ['k9x4']],
  ['user: k9x4', []],
  ['privateKey: tls/server.key', []],
  ['the secret k9x4', []],
  ['secret: k9x', []],
] as const)
  test(`of a text with ${line} is known: ${known.join(', ') || 'nothing'}`, (t) => {
    // The brace makes it no YAML.
    const cwd = temporaryFolder(t, { text: `{\n${line}\n` });
    t.deepEqual([...secretsWith({}, [join(cwd, 'text')], cwd).values], [...known]);
  });

test('of the settings of a node its keys and the password of its database are known, and a hundred files of its keystore', (t) => {
  const key = (name: string): string => `-----BEGIN PRIVATE KEY-----\n${name}\n-----END PRIVATE KEY-----\n`;
  const keystore = Array.from({ length: 101 }, (_, index) => String(index).padStart(3, '0'));
  const files = ['own', 'tls.key', 'tls.clientKey', 'operations', 'admin', 'client', 'admin2', 'tls2'];
  const cwd = temporaryFolder(t, {
    ...Object.fromEntries(files.map((name) => [name, key(name)])),
    ...Object.fromEntries(keystore.map((name) => [`msp/keystore/${name}`, key(name)])),
  });
  const at = (name: string): string => join(cwd, name);
  const named: Readonly<Record<string, string>> = {
    'tls.key': at('tls.key'),
    'tls.clientKey': at('tls.clientKey'),
    'operations.tls.key.file': at('operations'),
    'admin.tls.privateKey': at('admin'),
    msp: at('msp'),
    'couchdb.password': 'c0uch',
  };
  const node = {
    values: new Map(Object.entries(named).map(([name, value]) => [name, { value }])),
    client: { key: { value: at('client') } },
    admin: { key: { value: at('admin2') } },
    tls: { key: { value: at('tls2') } },
  };
  const loaded = { settings: { operations: { tls: { keyFile: at('own') } } }, nodes: [node], files: [] };
  const sources = { ...NOTHING, loaded: loaded as never };
  const { values, keys } = collectSecrets(sources, { environment: {}, cwd } as unknown as Process);
  t.deepEqual([...values], ['c0uch']);
  t.deepEqual(keys, [...files, ...keystore.slice(0, 100)].map(key));
});

const OPTIONS: readonly (readonly [
  what: string,
  schema: object,
  value: unknown,
  known: readonly string[],
])[] = [
  [
    'the arguments of a program, but neither the program nor its flags, paths and words',
    { sensitive: 'arguments' },
    [
      '/usr/bin/x-program-9',
      '-h',
      '--password=s3cr3t-value',
      '--user=admin',
      '/etc/fabric/core9.yaml',
      '--verbose-9999',
      'short9',
      'S3cretArgument',
    ],
    ['s3cr3t-value', 'S3cretArgument'],
  ],
  [
    'a URL with a secret path, and the parts of its path that are no words',
    { sensitive: 'path' },
    'https://h/services/T0K3N-T0K3N',
    ['https://h/services/T0K3N-T0K3N', '/services/T0K3N-T0K3N', 'T0K3N-T0K3N'],
  ],
  [
    'the credentials of a header',
    { sensitive: true },
    { Authorization: 'Bearer abcdefgh12' },
    ['Bearer abcdefgh12', 'abcdefgh12'],
  ],
  [
    'of another URL the query and the parts of the path that are no words',
    {},
    'http://h/metrics/T0K3N-T0K3N?key=k9x4y',
    ['T0K3N-T0K3N', 'key=k9x4y', 'k9x4y'],
  ],
  ['nothing of a URL with words only', {}, 'http://h/metrics/write', []],
  ['nothing of another text', {}, 'ftp://h/T0K3N-T0K3N?key=k9x4y', []],
];
for (const [what, schema, value, known] of OPTIONS)
  test(`of an option of a plugin is known: ${what}`, (t) => {
    const plugin = { definition: { options: { a: schema } }, options: { a: value } };
    const sources = { ...NOTHING, plugins: [plugin as never] };
    const { values } = collectSecrets(sources, { environment: {}, cwd: '/' } as unknown as Process);
    t.deepEqual([...values].toSorted(), known.toSorted());
  });

test('each line of a file with a secret is known, but not of a certificate', (t) => {
  const cwd = temporaryFolder(t, {
    token: 'Bearer abcdefgh12\n\nsecond-9\n',
    'cert.pem': '-----BEGIN CERTIFICATE-----\nMIIBabcdefgh\n-----END CERTIFICATE-----\n',
  });
  const schema = { format: 'path' };
  const plugin = {
    definition: { options: { authorizationFile: schema, certFile: schema, emptyFile: schema } },
    options: { authorizationFile: join(cwd, 'token'), certFile: join(cwd, 'cert.pem'), emptyFile: '' },
  };
  const sources = { ...NOTHING, plugins: [plugin as never] };
  const { values } = collectSecrets(sources, { environment: {}, cwd } as unknown as Process);
  t.deepEqual([...values].toSorted(), ['Bearer abcdefgh12', 'abcdefgh12', 'second-9']);
});
