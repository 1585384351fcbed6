// The status of a migration, for the blocks of a recorded one.

import test from 'ava';
import { migrationStatus, type Phase } from '../../../translator/migrate/index.js';
import { configBlock } from '../../helpers/migration.js';

const at = (block: number | null, address = 'o1:7050') => ({
  address,
  block: block === null ? null : String(block),
  reason: block === null ? 'connection refused' : null,
});

const PHASES: readonly (readonly [block: number, phase: Phase, next: readonly string[]])[] = [
  [
    0,
    'no V3_0',
    [
      'check that all orderers and peers run Fabric 3.0 or newer: older ones stop at the capability V3_0',
      'submit the step capability',
    ],
  ],
  [
    1,
    'ready',
    ['stop the clients: orderers in maintenance refuse transactions', 'submit the step maintenance'],
  ],
  [
    2,
    'maintenance',
    [
      'back up all orderers and peers: after the step bft, only the backups allow a return to Raft',
      'submit the step bft',
      'then restart all orderers',
    ],
  ],
  [
    3,
    'BlockValidation',
    [
      'set BlockValidation to match the consenters: until then each orderer alone can create blocks',
      'do not submit the step normal: orderers refuse it',
    ],
  ],
  [
    4,
    'restart',
    [
      'restart all orderers: until its restart, an orderer still runs Raft, and the step normal would stop all peers',
      'then submit the step normal, with --allow bft-not-restarted',
    ],
  ],
  [5, 'done', ['start the clients again']],
];

for (const [number, phase, next] of PHASES)
  test(`after block ${number} of the recorded migration the phase is ${phase}`, (t) => {
    const { config } = configBlock(number);
    const orderers = [at(number), at(number, 'o2:7050')];
    t.deepEqual(migrationStatus(config, orderers, 'ch1', BigInt(number)), {
      channel: 'ch1',
      block: String(number),
      phase,
      orderers,
      next,
    });
  });

test('while orderers lack the newest block, there is no next step', (t) => {
  const orderers = [at(2), at(1, 'o2:7050'), at(null, 'o3:7050')];
  const status = migrationStatus(configBlock(2).config, orderers, 'ch1', 2n);
  t.deepEqual(status.next, [
    'wait until all orderers have block 2: o2:7050 has config block 1 only; o3:7050 does not respond (connection refused)',
    'do not submit another step until then',
  ]);
});

test('a BFT channel is done even if an orderer is down', (t) => {
  t.is(migrationStatus(configBlock(5).config, [at(5), at(null, 'o2:7050')], 'ch1', 5n).phase, 'done');
});
