// The consenters of a BFT channel with block signatures that count.

import test from 'ava';
import type { Consenter } from '../../../translator/channel/index.js';
import type { MspManager } from '../../../translator/msp/index.js';
import { judgeBlockSigners } from '../../../translator/state/block-signers.js';

const consenter = (host: string, mspId: string): Consenter =>
  ({ id: 1, host, port: 7050, mspId, identity: Buffer.from(host) }) as unknown as Consenter;

/** Two MSPs; the MSP of B refuses the identity `bad`. */
const MANAGER = {
  msps: new Map(
    ['AMSP', 'BMSP'].map((name) => [
      name,
      {
        judge: async (identity: Uint8Array) =>
          Buffer.from(identity).toString() === 'bad' ? { fault: { text: 'it is revoked' } } : {},
      },
    ]),
  ),
} as unknown as MspManager;

test('consenters with a valid identity count, and the others have the reason', async (t) => {
  const raft = { host: 'raft', port: 1 } as unknown as Consenter;
  const all = [
    consenter('good', 'AMSP'),
    consenter('bad', 'BMSP'),
    consenter('gone', 'CMSP'),
    consenter('fine', 'AMSP'),
    raft,
  ];
  t.deepEqual(await judgeBlockSigners(all, MANAGER), {
    valid: 2,
    quorum: 3,
    mspids: new Set(['AMSP']),
    invalid: [
      { consenter: 'bad:7050', isReadable: false, mspid: 'BMSP', reason: 'it is revoked' },
      {
        consenter: 'gone:7050',
        isReadable: false,
        mspid: 'CMSP',
        reason: 'MSP CMSP is not defined on channel',
      },
    ],
  });
});
