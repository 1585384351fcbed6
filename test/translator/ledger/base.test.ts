// Which of several configs updates are reviewed against: blocks signed by orderers, forged blocks, and configs without blocks.

import test from 'ava';
import { readConfigFile, writeConfig } from '../../../translator/channel/index.js';
import {
  baseOf,
  blockBytes,
  blockHash,
  type Candidate,
  type StoredBlock,
} from '../../../translator/ledger/index.js';
import { Consenters } from '../../helpers/made-chain.js';
import { BLOCKS } from '../../helpers/migration.js';

const ADDRESSES = ['o1:7050', 'o2:7050', 'o3:7050', 'o4:7050'];
const consenters = new Consenters(ADDRESSES);
const CHAIN = consenters.chain(6);
/** Other orderers that claim to be of the same channel. */
const LIARS = new Consenters(ADDRESSES).chain(6, 'ms');
const OF_ANOTHER_CHANNEL = new Consenters(ADDRESSES, 'ch2').chain(2);

const file = (name: string, block: StoredBlock): Candidate => ({ name, bytes: blockBytes(block) });
const config = (name: string, block: StoredBlock, sequence?: bigint): Candidate => {
  const { config: found } = readConfigFile(blockBytes(block));
  return { name, bytes: writeConfig({ ...found, sequence: sequence ?? found.sequence }) };
};
/** A block whose data, and perhaps the hash of them, are those of another one. */
const withData = (block: StoredBlock, other: StoredBlock, isHashed: boolean): StoredBlock => ({
  ...block,
  data: other.data,
  ...(isHashed && { dataHash: other.dataHash }),
});
const unsigned = (block: StoredBlock): StoredBlock => ({ ...block, metadata: [] });

const UNSIGNED = '0 of its 0 signatures are valid, which does not satisfy /Channel/Orderer/BlockValidation';
const LIED = '0 of its 4 signatures are valid, which does not satisfy /Channel/Orderer/BlockValidation';
const notUsed = (number: number, fault: string, used: string): string =>
  `new is not used, because it does not continue block ${number}: ${fault}; if you trust it, remove ${used}`;
const contested = (what: string, one: string, other: string): string =>
  `${one} and ${other} are different versions of ${what}: remove the one that is not of the channel`;

for (const [what, candidates, used, notes] of [
  ['no file', [], undefined, []],
  ['one block', [file('a', CHAIN[3]!)], 'a', []],
  ['the next block', [file('old', CHAIN[2]!), file('new', CHAIN[3]!)], 'new', []],
  ['the next block, which comes first', [file('new', CHAIN[3]!), file('old', CHAIN[2]!)], 'new', []],
  [
    'a later block that the orderers have signed',
    [file('old', CHAIN[1]!), file('new', CHAIN[5]!)],
    'new',
    [],
  ],
  ['all blocks', CHAIN.map((block) => file(`b${block.number}`, block)), 'b5', []],
  ['a block twice', [file('a', CHAIN[2]!), file('b', CHAIN[2]!)], 'a', []],
  [
    'a block from an orderer and from a peer, with other metadata',
    [file('a', CHAIN[2]!), file('b', unsigned(CHAIN[2]!))],
    'a',
    [],
  ],
  [
    'two blocks of one number',
    [file('a', CHAIN[2]!), file('b', LIARS[2]!)],
    undefined,
    [contested('block 2', 'a', 'b')],
  ],
  [
    'two blocks of one number that are not the oldest',
    [file('old', CHAIN[1]!), file('a', CHAIN[2]!), file('b', LIARS[2]!)],
    undefined,
    [contested('block 2', 'a', 'b')],
  ],
  [
    'two blocks with one header and different data',
    [file('a', CHAIN[2]!), file('b', withData(CHAIN[2]!, LIARS[2]!, false))],
    undefined,
    [contested('block 2', 'a', 'b')],
  ],
  [
    'two blocks of one number of different channels',
    [file('a', CHAIN[0]!), file('b', OF_ANOTHER_CHANNEL[0]!)],
    undefined,
    [contested('block 0', 'a', 'b')],
  ],
  [
    'a next block with the hash of another block',
    [file('old', CHAIN[2]!), file('new', { ...LIARS[3]! })],
    'old',
    [notUsed(2, 'it has the hash of another block', 'old')],
  ],
  [
    'a next block with other data',
    [file('old', CHAIN[2]!), file('new', withData(CHAIN[3]!, LIARS[3]!, false))],
    'old',
    [notUsed(2, 'its data do not match the hash in its header', 'old')],
  ],
  [
    'a later block without signatures',
    [file('old', CHAIN[1]!), file('new', unsigned(CHAIN[5]!))],
    'old',
    [notUsed(1, UNSIGNED, 'old')],
  ],
  [
    'a later block that others have signed',
    [file('old', CHAIN[1]!), file('new', LIARS[5]!)],
    'old',
    [notUsed(1, LIED, 'old')],
  ],
  [
    'a later block with signatures of another block',
    [file('old', CHAIN[1]!), file('new', withData(CHAIN[5]!, LIARS[5]!, true))],
    'old',
    [notUsed(1, LIED, 'old')],
  ],
  [
    'a later block with an older config',
    [file('old', CHAIN[3]!), file('new', { ...withData(CHAIN[5]!, CHAIN[2]!, true) })],
    'old',
    [notUsed(3, 'the sequence of its config is not higher', 'old')],
  ],
  [
    'a later block of another channel',
    [file('old', CHAIN[0]!), file('new', OF_ANOTHER_CHANNEL[1]!)],
    'old',
    [notUsed(0, 'it is of another channel', 'old')],
  ],
  [
    'a next block with the hash, which nobody has signed',
    [file('old', CHAIN[2]!), file('new', unsigned({ ...LIARS[3]!, previousHash: blockHash(CHAIN[2]!) }))],
    'new',
    [`new has the hash of block 2 before it, but nothing shows that orderers have made it: ${UNSIGNED}`],
  ],
  [
    'a block that continues the oldest one, beside one that does not',
    [file('old', CHAIN[1]!), file('new', LIARS[3]!), file('newest', CHAIN[4]!)],
    'newest',
    [notUsed(1, LIED, 'old')],
  ],
  [
    'a config without a block beside a block',
    [file('old', CHAIN[1]!), config('new', LIARS[5]!, 99n)],
    'old',
    ['new is not used, because it is no block: nothing shows whether it is older or newer than block 1'],
  ],
  ['the config of the block beside it', [file('old', CHAIN[1]!), config('new', CHAIN[1]!)], 'old', []],
  [
    'two configs without a block',
    [config('new', CHAIN[2]!), config('old', CHAIN[1]!)],
    'old',
    [
      'new is not used, because it is no block: nothing shows that it continues old; if you trust it, remove old',
    ],
  ],
  [
    'two different configs with one sequence',
    [config('a', CHAIN[2]!), config('b', LIARS[2]!)],
    undefined,
    [contested('config with the sequence 2', 'a', 'b')],
  ],
  ['a config twice', [config('a', CHAIN[2]!), config('b', CHAIN[2]!)], 'a', []],
] as readonly (readonly [string, readonly Candidate[], string | undefined, readonly string[]])[])
  test(`${what}: ${used ?? 'nothing'} is used`, async (t) => {
    t.deepEqual(await baseOf(candidates), { used, notes });
  });

test('the recorded blocks of a channel from Raft to BFT continue each other', async (t) => {
  const files = BLOCKS.map((bytes, number) => ({ name: `b${number}`, bytes }));
  t.deepEqual(await baseOf(files), { used: 'b5', notes: [] });
});
