// The options that plugins take from the configuration of a node.

import test from 'ava';
import { endpointOptions, pathsOption, type ConfiguredNode } from '../../../core/contract/for-node.js';

const VALUES = new Map<string, unknown>([
  ['cert', ''],
  ['key', '/a/key.pem'],
  ['cas', ['/a/ca.pem', '', '/a/key.pem']],
  ['none', []],
]);
const NODE = {
  name: 'peer0',
  address: { value: { host: '::1', port: 9443 }, origin: 'core.yaml:3' },
  tls: { ca: { value: '/ca.pem', origin: 'core.yaml:4' } },
  get: (key: string) => ({ value: VALUES.get(key), origin: `core.yaml: ${key}` }),
} as unknown as ConfiguredNode;

for (const [keys, paths, origin] of [
  [['key'], ['/a/key.pem'], 'core.yaml: key'],
  [['cert', 'key'], ['/a/key.pem'], 'core.yaml: key'],
  [['none', 'cas', 'key'], ['/a/ca.pem', '/a/key.pem'], 'core.yaml: cas'],
  [['cert', 'none'], undefined, ''],
] as const)
  test(`the keys ${keys.join(', ')} of a node have ${paths === undefined ? 'no path' : paths.join(' and ')}`, (t) => {
    t.deepEqual(pathsOption(NODE, keys), paths && { paths: { value: paths, origin } });
  });

test('the endpoint of a node has its address and its TLS options, with their origins', (t) => {
  t.deepEqual(endpointOptions(NODE), {
    address: { value: '[::1]:9443', origin: 'core.yaml:3' },
    ca: { value: '/ca.pem', origin: 'core.yaml:4' },
  });
});
