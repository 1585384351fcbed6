// The channels in the metrics of a node: consensus, views of BFT, and the participation of an orderer.

import test from 'ava';
import { channelsOf } from '../../../core/nodes/channels.js';
import { channelGauge } from '../../helpers/stand-in-node.js';

/** The members of the channel ch1 with these values of families. */
function ch1(values: Readonly<Record<string, number>>): object | undefined {
  const families = Object.entries(values).map(([name, value]) => channelGauge(name, { ch1: value }));
  const [channel] = channelsOf({ families }, []);
  if (channel === undefined) return undefined;
  const { name: _name, ...others } = channel;
  return others;
}

for (const [views, consensus] of [
  [{}, { leader_id: 2 }],
  [{ view_leader_id: 3 }, { leader_id: 3 }],
  [{ view_leader_id: 0 }, { leader_id: 0, view_change: true }],
  [{ viewchange_current_view: 5, viewchange_next_view: 5, viewchange_real_view: 5 }, { leader_id: 2 }],
  [
    { viewchange_current_view: 5, viewchange_next_view: 6 },
    { leader_id: 2, view_change: true },
  ],
  [
    { viewchange_current_view: 6, viewchange_real_view: 5 },
    { leader_id: 2, view_change: true },
  ],
  [{ viewchange_current_view: 5, viewchange_real_view: 6 }, { leader_id: 2 }],
  [{ viewchange_next_view: 1 }, { leader_id: 2 }],
  [{ viewchange_current_view: 1 }, { leader_id: 2 }],
] as const)
  test(`a BFT orderer with the views ${JSON.stringify(views)} has the consensus ${JSON.stringify(consensus)}`, (t) => {
    const ofViews = Object.fromEntries(
      Object.entries(views).map(([name, value]) => [`consensus_smartbft_${name}`, value]),
    );
    t.deepEqual(ch1({ consensus_BFT_leader_id: 2, ...ofViews }), {
      consensus: { type: 'BFT', ...consensus },
    });
  });

test('views change nothing of a channel with Raft', (t) => {
  t.deepEqual(ch1({ consensus_etcdraft_leader_id: 2, consensus_smartbft_view_leader_id: 0 }), {
    consensus: { type: 'etcdraft', leader_id: 2 },
  });
});

test('of two types of consensus the first one counts', (t) => {
  t.deepEqual(ch1({ consensus_etcdraft_is_leader: 1, consensus_BFT_cluster_size: 4 }), {
    consensus: { type: 'etcdraft', is_leader: true },
  });
});

for (const [value, relation, status] of [
  [0, 'other', 'inactive'],
  [1, 'consenter', 'active'],
  [2, 'follower', 'onboarding'],
  [3, 'config-tracker', 'failed'],
  [4, undefined, undefined],
] as const)
  test(`the participation ${value} is the relation ${relation} and the status ${status}`, (t) => {
    t.deepEqual(ch1({ participation_consensus_relation: value, participation_status: value }), {
      relation,
      status,
    });
  });

for (const value of [-1, 0.5, NaN, Infinity, 2 ** 53])
  test(`a height of ${value} is none`, (t) => {
    t.is(ch1({ ledger_blockchain_height: value }), undefined);
  });

test('other families have no channels', (t) => {
  t.is(ch1({ consensus_etcdraft_snapshot_block_number: 1, ledger_transaction_count: 1 }), undefined);
});

test('a name of 249 characters is a channel, one of 250 is none', (t) => {
  const [longest, tooLong] = ['c'.repeat(249), 'd'.repeat(250)];
  const families = [channelGauge('ledger_blockchain_height', { [longest]: 1, [tooLong]: 2 })];
  t.deepEqual(
    channelsOf({ families }, []).map(({ name }) => name),
    [longest],
  );
});

test('the values of the first thousand channels count, also in later families', (t) => {
  const names = Array.from({ length: 1001 }, (_, index) => `c${String(index).padStart(4, '0')}`);
  const heights = Object.fromEntries(names.map((name) => [name, 1]));
  const statuses = Object.fromEntries(names.map((name) => [name, 1]));
  const found = channelsOf(
    {
      families: [
        channelGauge('ledger_blockchain_height', heights),
        channelGauge('participation_status', statuses),
      ],
    },
    [],
  );
  t.deepEqual(found.at(-1), { name: 'c0999', height: 1, status: 'active' });
  t.is(found.length, 1000);
});

test('a height of 0 counts, and a series without a channel does not', (t) => {
  const family = channelGauge('ledger_blockchain_height', { ch1: 0 });
  const families = [{ ...family, series: [{ labels: {}, value: 5 }, ...family.series] }];
  t.deepEqual(channelsOf({ families }, []), [{ name: 'ch1', height: 0 }]);
});
