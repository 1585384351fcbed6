// The channels of all nodes, by channel.

import test from 'ava';
import type { Channel } from '../../../core/fabric/channel.js';
import { channelsByName } from '../../../core/status/channels.js';
import type { NodeStatus } from '../../../core/status/document.js';

const node = (name: string, kind: string, channels: NodeStatus['channels']): NodeStatus =>
  ({ name, kind, channels }) as unknown as NodeStatus;

test('channels are sorted by name, with the greatest height; a known channel without a node is one as well', (t) => {
  const known: Channel = {
    verdict: 'at-risk',
    reason: 'one is down',
    since: 0,
    lastBlockAt: 1000,
    blocks: [1, 2],
    transactions: [4, 9],
    consenters: [
      { name: 'o1', state: 'active' },
      { name: 'o2', state: 'down' },
    ],
    leader: 'o2',
    needed: 2,
    mayFail: 0,
  };
  const nodes = [
    node('peer0', 'peer', [{ name: 'c', height: 3 }, { name: 'a' }]),
    node('o1', 'orderer', [{ name: 'c', height: 7, status: 'active' }]),
    node('peer1', 'peer', [{ name: 'c', height: 5, stale: true }]),
  ];
  const past = { component: 'channels/c', severity: 'critical', from: 'f', to: 't' };
  const found = channelsByName(nodes, new Map([['b', known]]), (name) => (name === 'c' ? [past] : []));
  const unknown = {
    verdict: undefined,
    reason: undefined,
    since: undefined,
    last_block_at: undefined,
    blocks: [],
    transactions: undefined,
    consenters: [],
    needed: undefined,
    may_fail: undefined,
    past: [],
  };
  t.deepEqual(found, [
    { ...unknown, name: 'a', height: undefined, nodes: [{ node: 'peer0', kind: 'peer' }] },
    {
      name: 'b',
      verdict: 'at-risk',
      reason: 'one is down',
      since: '1970-01-01T00:00:00.000Z',
      height: undefined,
      last_block_at: '1970-01-01T00:00:01.000Z',
      blocks: [1, 2],
      transactions: [4, 9],
      consenters: [
        { name: 'o1', state: 'active', leader: false },
        { name: 'o2', state: 'down', leader: true },
      ],
      needed: 2,
      may_fail: 0,
      nodes: [],
      past: [],
    },
    {
      ...unknown,
      name: 'c',
      height: 7,
      nodes: [
        { node: 'peer0', kind: 'peer', height: 3 },
        { node: 'o1', kind: 'orderer', height: 7, status: 'active' },
        { node: 'peer1', kind: 'peer', height: 5, stale: true },
      ],
      past: [past],
    },
  ]);
});
