// The metrics of the orderers of a peer.

import test from 'ava';
import { MetricStore } from '../../../../core/metrics/index.js';
import { createGauges } from '../../../../plugins/health/orderer-link/gauges.js';
import type { LinkReport } from '../../../../plugins/health/orderer-link/judge.js';
import { valuesOf } from '../../../helpers/snapshot.js';

/** The channel `ch1` of a peer, and the heights of its orderers by address; undefined: unknown, or it does not respond. */
const link = (
  height: bigint | undefined,
  orderers: Readonly<Record<string, bigint | undefined>>,
): LinkReport => ({
  channel: 'ch1',
  height,
  responses: Object.entries(orderers).map(([address, blocks]) =>
    blocks === undefined
      ? { address, consenter: undefined, state: 'silent', isRefused: false, reason: 'connection refused' }
      : { address, consenter: undefined, state: 'alive', height: blocks },
  ),
  problem: undefined,
});

const UP = (address: string): string => `up ch1 ${address}`;
const HEIGHT = 'channel_height ch1 ';
const LAG = 'lag ch1 ';

for (const [what, links, expected] of [
  ['with all blocks', [link(9n, { 'o:1': 9n })], { [UP('o:1')]: 1, [HEIGHT]: 9, [LAG]: 0 }],
  [
    'behind the highest orderer',
    [link(4n, { 'o:1': 6n, 'o:2': 9n, 'o:3': undefined })],
    { [UP('o:1')]: 1, [UP('o:2')]: 1, [UP('o:3')]: 0, [HEIGHT]: 9, [LAG]: 5 },
  ],
  ['whose orderers do not respond', [link(4n, { 'o:1': undefined })], { [UP('o:1')]: 0 }],
  [
    'whose ledger cannot be read',
    [link(undefined, { 'o:1': 9n })],
    { [UP('o:1')]: 1, [HEIGHT]: 9, [LAG]: 0 },
  ],
  ['without channels', [], {}],
] as const)
  test(`a peer ${what} has the series ${JSON.stringify(expected)}, whatever was shown before`, async (t) => {
    const store = new MetricStore(100);
    const gauges = createGauges(store, 'orderer-link');
    gauges.show([link(1n, { 'o:1': 2n, 'former:1': undefined })]);
    gauges.show(links);
    const found = await Promise.all(
      ['up', 'channel_height', 'lag'].map(async (name) =>
        (await valuesOf(store, `fabric_ops_agent_orderer_link_${name}`)).map(
          ({ labels, value }): [string, number] => [
            `${name} ${labels['channel']} ${labels['orderer'] ?? ''}`,
            value,
          ],
        ),
      ),
    );
    t.deepEqual(Object.fromEntries(found.flat()), expected);
  });
