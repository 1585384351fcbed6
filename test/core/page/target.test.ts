// The addresses of the drawers.

import test from 'ava';
import { hashOf, targetOf, type Target } from '../../../core/page/target.js';
import type { StatusDocument } from '../../../core/status/document.js';
import { pageState } from '../../helpers/page-states.js';

const HOST = { url: '', reachable: true, since: '', nodes: [], channels: [] };
const { document } = pageState('healthy');
const named: StatusDocument = {
  ...document,
  nodes: ['orderer1', 'events', 'x', 'a/b ?'].map((name) => ({ ...document.nodes[0]!, name })),
  channels: ['ch1', 'x'].map((name) => ({ ...document.channels[0]!, name })),
  agents: ['host2', 'x'].map((name) => ({ ...HOST, name })),
};

const CASES: readonly (readonly [target: Target, hash: string])[] = [
  [{ of: 'node', name: 'orderer1' }, '#orderer1'],
  [{ of: 'node', name: 'events' }, '#node/events'],
  [{ of: 'node', name: 'a/b ?' }, '#a%2Fb%20%3F'],
  [{ of: 'channel', name: 'ch1' }, '#ch1'],
  [{ of: 'node', name: 'x' }, '#x'],
  [{ of: 'channel', name: 'x' }, '#channel/x'],
  [{ of: 'host', name: 'host2' }, '#host2'],
  [{ of: 'host', name: 'x' }, '#host/x'],
  [{ of: 'events' }, '#events'],
  [{ of: 'keys' }, '#keys'],
  [{ of: 'cause', component: 'channels/ch1' }, '#cause/channels%2Fch1'],
  [{ of: 'follows', component: 'docker' }, '#follows/docker'],
];

for (const [target, hash] of CASES)
  test(`the address of ${JSON.stringify(target)} is ${hash}, and names it`, (t) => {
    t.is(hashOf(target, named), hash);
    t.deepEqual(targetOf(hash, named), target);
  });

for (const [hash, target] of [
  ['', undefined],
  ['#', undefined],
  ['#nothing/x', undefined],
  ['#gone', { of: 'node', name: 'gone' }],
  ['#%E0', { of: 'node', name: '%E0' }],
] as const)
  test(`the address '${hash}' names ${JSON.stringify(target) ?? 'no drawer'}`, (t) => {
    t.deepEqual(targetOf(hash, named), target);
  });
