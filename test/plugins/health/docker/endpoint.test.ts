import test from 'ava';
import { checkEndpoint, parseEndpoint, type Endpoint } from '../../../../plugins/health/docker/endpoint.js';

const ALLOWED =
  'invalid endpoint: must be unix:///path, tcp://host:port, http://host:port or https://host:port';

const GOOD: readonly (readonly [string, Endpoint, Endpoint?])[] = [
  [
    'unix:///var/run/docker.sock',
    { socketPath: '/var/run/docker.sock', protocol: 'http:' },
    { socketPath: '/var/run/docker.sock', protocol: 'http:' },
  ],
  ['unix:///a b/ü.sock', { socketPath: '/a b/ü.sock', protocol: 'http:' }],
  [
    'tcp://engine:4243',
    { host: 'engine', port: 4243, protocol: 'http:' },
    { host: 'engine', port: 4243, protocol: 'https:' },
  ],
  [
    'tcp://10.0.0.1',
    { host: '10.0.0.1', port: 2375, protocol: 'http:' },
    { host: '10.0.0.1', port: 2376, protocol: 'https:' },
  ],
  [
    'http://engine:80',
    { host: 'engine', port: 80, protocol: 'http:' },
    { host: 'engine', port: 80, protocol: 'https:' },
  ],
  ['http://engine:80/', { host: 'engine', port: 80, protocol: 'http:' }],
  ['http://engine/', { host: 'engine', port: 2375, protocol: 'http:' }],
  ['https://engine', { host: 'engine', port: 2376, protocol: 'https:' }],
  ['https://engine:443', { host: 'engine', port: 443, protocol: 'https:' }],
  ['tcp://engine:1', { host: 'engine', port: 1, protocol: 'http:' }],
  ['tcp://engine:65535', { host: 'engine', port: 65_535, protocol: 'http:' }],
  ['tcp://[::1]:2375', { host: '::1', port: 2375, protocol: 'http:' }],
  ['tcp://[::1]', { host: '::1', port: 2375, protocol: 'http:' }],
  ['tcp://[fe80::80]', { host: 'fe80::80', port: 2375, protocol: 'http:' }],
  ['tcp://[::80]', { host: '::80', port: 2375, protocol: 'http:' }],
];
for (const [text, plain, overTls] of GOOD) {
  test(`the endpoint ${text} is valid`, (t) => {
    t.deepEqual(parseEndpoint(text, false), plain);
    if (overTls !== undefined) t.deepEqual(parseEndpoint(text, true), overTls, 'with TLS files');
    t.notThrows(() => checkEndpoint(text));
  });
}

const BAD = [
  'unix://',
  'unix://relative.sock',
  'unix:/x.sock',
  '/var/run/docker.sock',
  'engine:2375',
  '127.0.0.1:2375',
  'tcp://',
  'tcp://:2375',
  'tcp://engine:port',
  'tcp://engine:65536',
  'tcp://engine:70000',
  'tcp://engine:0',
  'tcp://[::1',
  'tcp://::1:2375',
  'tcp://user@engine:2375',
  'tcp://user:secret@engine:2375',
  'tcp://:secret@engine:2375',
  'tcp://engine:2375/v1.41',
  'tcp://engine:2375?x=1',
  'tcp://engine:2375?',
  'tcp://engine:2375#x',
  'tcp://en gine:2375',
  'npipe:////./pipe/docker_engine',
  'ssh://user@engine',
  'fd://',
  'TCP://engine:2375',
  ' unix:///var/run/docker.sock',
  'unix:///var/run/docker.sock\u0000x',
];
for (const text of BAD) {
  test(`the endpoint ${JSON.stringify(text)} is rejected`, (t) => {
    t.throws(() => parseEndpoint(text, false), { message: ALLOWED });
    t.throws(() => checkEndpoint(text), { message: ALLOWED });
  });
}

test('an empty endpoint means the endpoint of the environment', (t) => {
  t.notThrows(() => checkEndpoint(''));
});

test('values other than strings are rejected', (t) => {
  for (const value of [5, null, undefined, ['unix:///x'], {}])
    t.throws(() => checkEndpoint(value), { message: ALLOWED });
});
