// Docker engines, and the peers that are too old for them.

import test from 'ava';
import { engineWarnings } from '../../../core/status/engines.js';

interface Node {
  readonly name: string;
  readonly kind: string;
  readonly version: string | undefined;
}

const node = (name: string, version: string | undefined, kind = 'peer'): Node => ({ name, kind, version });

const warned = (engine: string, ...nodes: readonly Node[]): object[] =>
  engineWarnings([{ component: 'docker', version: engine }], nodes);

for (const [version, isTooOld] of [
  ['v2.4.9', true],
  ['v2.5.9', true],
  ['2.5.14', true],
  ['2.5.15', false],
  ['v2.6.0', false],
  ['v3.0.0', true],
  ['v3.1.3', true],
  ['v3.1.4', false],
  ['v3.2.0', false],
  ['v4.0.0', false],
  ['latest', false],
  [undefined, false],
] as const)
  test(`a peer with the version ${version} is ${isTooOld ? 'too old' : 'not too old'} for Docker Engine 29`, (t) => {
    t.is(warned('29.0.1', node('peer0', version)).length, isTooOld ? 1 : 0);
    t.deepEqual(warned('28.5.2', node('peer0', version)), []);
  });

test('of several nodes only the peers that are too old are named', (t) => {
  const nodes = [node('peer0', 'v3.1.4'), node('peer1', 'v2.5.9'), node('orderer', 'v2.5.9', 'orderer')];
  t.deepEqual(warned('29.0.1', ...nodes), [
    {
      component: 'docker',
      reason:
        'peer1 has Fabric v2.5.9, which cannot build chaincode with Docker Engine 29.0.1; it needs 2.5.15, 3.1.4 or newer',
    },
  ]);
});
