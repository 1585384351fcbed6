// The steps of a migration to BFT, and the orderers that must have the newest block for them.

import test from 'ava';
import { inValue, orderer, reviewOf, type Group } from '../../helpers/changed-config.js';

const setState =
  (state: number) =>
  (channel: Group): void =>
    inValue(orderer(channel), 'ConsensusType', 'orderer.ConsensusType', (message) => (message.state = state));

const progress = (block: string | null, reason: string | null = null) => ({ address: 'o:1', block, reason });

const RESTARTED =
  'orderers that have not been restarted since the switch to BFT still run Raft and accept this update: no peer can verify the blocks that follow, and none takes a block any more';
const behind = (text: string): string =>
  `each orderer must have the newest config block before this step: ${text}`;

for (const [what, config, from, to, orderers, texts] of [
  [
    'Raft enters maintenance, and an orderer is behind',
    'raft2',
    0,
    1,
    [progress('4')],
    [behind('o:1 has config block 4 only')],
  ],
  ['Raft enters maintenance, and the orderer has the block', 'raft2', 0, 1, [progress('5')], []],
  ['Raft enters maintenance, and no orderer was asked', 'raft2', 0, 1, [], []],
  [
    'Raft enters maintenance, and orderers do not respond or are behind',
    'raft2',
    0,
    1,
    [progress(null, 'timeout'), progress('0')],
    [behind('o:1 does not respond (timeout); o:1 has config block 0 only')],
  ],
  ['Raft leaves maintenance', 'raft2', 1, 0, [progress('4')], []],
  ['BFT enters maintenance', 'bft4', 0, 1, [progress('4')], [behind('o:1 has config block 4 only')]],
  ['BFT leaves maintenance', 'bft4', 1, 0, [progress('5')], [RESTARTED]],
  [
    'BFT leaves maintenance, and an orderer is behind',
    'bft4',
    1,
    0,
    [progress('4')],
    [RESTARTED, behind('o:1 has config block 4 only')],
  ],
] as const)
  test(`a step of a migration at block 5: ${what}`, async (t) => {
    const { findings } = await reviewOf(config, setState(to), setState(from), { number: 5n, orderers });
    t.deepEqual(
      findings.flatMap(({ id, text }) =>
        id === 'bft-not-restarted' || id === 'orderers-behind' ? [text] : [],
      ),
      [...texts],
    );
  });

test('an update that keeps the step needs no orderer to have the block', async (t) => {
  const { findings } = await reviewOf(
    'raft2',
    (channel) =>
      inValue(orderer(channel), 'BatchTimeout', 'orderer.BatchTimeout', (message) => {
        message.timeout = '3s';
      }),
    setState(1),
    { number: 5n, orderers: [progress('4')] },
  );
  t.false(findings.some(({ id }) => id === 'orderers-behind'));
});
