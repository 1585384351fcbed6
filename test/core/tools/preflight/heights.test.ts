// The stores of a ledger that do not fit together. test/e2e/preflight.test.ts compares them with the programs of Fabric.

import { readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { emptyBlock, writeStoredBlocks } from '../../../helpers/stored-ledger.js';
import { varint, writeDatabase } from '../../../helpers/leveldb-files.js';
import { causesOf } from '../../../helpers/preflight-node.js';
import { walLog, writeWithFolder } from '../../../helpers/raft-files.js';

const NONE = Buffer.alloc(0);
const DATA = 'data/ledgersData';
const CHAIN = `${DATA}/chains/chains/ch1`;

/** A save point: the length and the bytes of a block number, and of a transaction number. */
function savePoint(block: number): Buffer {
  const bytes = Buffer.from(block === 0 ? '' : block.toString(16).padStart(block < 256 ? 2 : 4, '0'), 'hex');
  return Buffer.concat([Buffer.from([bytes.length]), bytes, Buffer.from([0])]);
}

/** Writes a database of a peer with the format of Fabric 2.0. */
const write = (cwd: string, name: string, values: Readonly<Record<string, Uint8Array>>): void =>
  writeDatabase(join(cwd, DATA, name), { '_\0f': Buffer.from('2.0'), ...values });

/** A peer with the blocks 0 to 2 of a channel in all of its stores. @param first a block after a snapshot */
function writePeer(cwd: string, first = 0n): void {
  writeStoredBlocks(
    join(cwd, CHAIN),
    [0n, 1n, 2n].map((index) => emptyBlock(first + index)),
  );
  writeDatabase(join(cwd, DATA, 'ledgerProvider'), { f: Buffer.from('2.0'), sch1: NONE });
  const newest = Number(first) + 2;
  write(cwd, 'stateLeveldb', { 'ch1\0s': savePoint(newest) });
  write(cwd, 'historyLeveldb', { 'ch1\0s': savePoint(newest) });
  write(cwd, 'pvtdataStore', { 'ch1\0\u0001': varint(newest) });
}

/** The findings of a peer with a change of its stores; not that its made-up blocks have no config. */
async function found(
  t: ExecutionContext,
  change: (cwd: string) => void,
  {
    values = {},
    first = 0n,
  }: { readonly values?: Readonly<Record<string, unknown>>; readonly first?: bigint } = {},
): Promise<readonly string[]> {
  const causes = await causesOf(t, {
    kind: 'peer',
    values: { 'ledger.history': { enableHistoryDatabase: true }, ...values },
    change(cwd) {
      writePeer(cwd, first);
      change(cwd);
    },
  });
  return causes
    .filter(({ id }) => id !== 'channel-unreadable' && id !== 'couchdb-unreachable')
    .map(({ severity, id, prints }) => `${severity} ${id}: ${prints}`);
}

const remove = (cwd: string, ...names: readonly string[]): void => {
  for (const name of names) rmSync(join(cwd, DATA, name), { recursive: true });
};
const ahead = (database: string, own: number): string =>
  `warning state-ahead: Failed to load ledger ch1(the ${database} database [height=${own}] is ahead of the block store [height=3]`;
const COUCHDB = {
  'ledger.state': { stateDatabase: 'CouchDB', couchDBConfig: { couchDBAddress: '127.0.0.1:1' } },
};
const EMPTY =
  'cause channel-empty: Committer height cannot be zero, ledger should include at least one block (genesis).';
const FROM_SNAPSHOT =
  'Ledger [ch1] is created from a snapshot. Last block in snapshot = [299], DB needs block';

for (const [title, change, options, expected] of [
  ['nothing changed', () => undefined, {}, []],
  ['an older state', (cwd) => write(cwd, 'stateLeveldb', { 'ch1\0s': savePoint(0) }), {}, []],
  ['no state and no history', (cwd) => remove(cwd, 'stateLeveldb', 'historyLeveldb'), {}, []],
  ['a newer state', (cwd) => write(cwd, 'stateLeveldb', { 'ch1\0s': savePoint(3) }), {}, [ahead('state', 4)]],
  [
    'a state that is much newer',
    (cwd) => write(cwd, 'stateLeveldb', { 'ch1\0s': savePoint(300) }),
    {},
    [ahead('state', 301)],
  ],
  ['the state of another channel', (cwd) => write(cwd, 'stateLeveldb', { 'ch2\0s': savePoint(3) }), {}, []],
  [
    'a newer history',
    (cwd) => write(cwd, 'historyLeveldb', { 'ch1\0s': savePoint(3) }),
    {},
    [ahead('history', 4)],
  ],
  [
    'a newer history that is switched off',
    (cwd) => write(cwd, 'historyLeveldb', { 'ch1\0s': savePoint(3) }),
    { values: { 'ledger.history': { enableHistoryDatabase: false } } },
    [],
  ],
  [
    'a newer state in LevelDB beside CouchDB',
    (cwd) => write(cwd, 'stateLeveldb', { 'ch1\0s': savePoint(3) }),
    { values: COUCHDB },
    [],
  ],
  ['no private data', (cwd) => remove(cwd, 'pvtdataStore'), {}, ['warning private-data-behind: ']],
  [
    'older private data',
    (cwd) => write(cwd, 'pvtdataStore', { 'ch1\0\u0001': varint(1) }),
    {},
    ['warning private-data-behind: '],
  ],
  ['newer private data', (cwd) => write(cwd, 'pvtdataStore', { 'ch1\0\u0001': varint(9) }), {}, []],
  [
    'no private data and no state',
    (cwd) => remove(cwd, 'pvtdataStore', 'stateLeveldb'),
    {},
    ['warning private-data-behind: Failed to load ledger ch1(the store is empty'],
  ],
  [
    'older private data and no history',
    (cwd) => {
      write(cwd, 'pvtdataStore', { 'ch1\0\u0001': varint(1) });
      remove(cwd, 'historyLeveldb');
    },
    {},
    [
      'warning private-data-behind: Failed to load ledger ch1(last committed block number [1] smaller than the requested block number',
    ],
  ],
  ['a snapshot, and nothing changed', () => undefined, { first: 300n }, []],
  [
    'a snapshot, and no state',
    (cwd) => remove(cwd, 'stateLeveldb'),
    { first: 300n },
    [
      `warning state-lost: Failed to load ledger ch1(recovery for DB [state] not possible. ${FROM_SNAPSHOT} [0] onward`,
    ],
  ],
  [
    'a snapshot, and a history before its end',
    (cwd) => write(cwd, 'historyLeveldb', { 'ch1\0s': savePoint(298) }),
    { first: 300n },
    [
      `warning state-lost: Failed to load ledger ch1(recovery for DB [history] not possible. ${FROM_SNAPSHOT} [299] onward`,
    ],
  ],
  ['no list of channels', (cwd) => remove(cwd, 'ledgerProvider'), {}, ['warning channel-unlisted: ']],
  [
    'a list without its channel',
    (cwd) =>
      writeDatabase(join(cwd, DATA, 'ledgerProvider'), {
        f: Buffer.from('2.0'),
        sother: Buffer.from([8, 2]),
      }),
    {},
    ['warning channel-unlisted: '],
  ],
  [
    'a channel that is being made',
    (cwd) =>
      writeDatabase(join(cwd, DATA, 'ledgerProvider'), { f: Buffer.from('2.0'), sch1: Buffer.from([8, 2]) }),
    {},
    ['warning channel-unlisted: '],
  ],
  ['no blocks', (cwd) => remove(cwd, 'chains'), {}, [EMPTY]],
  ['an empty file of blocks', (cwd) => truncateSync(join(cwd, CHAIN, 'blockfile_000000'), 0), {}, [EMPTY]],
  ['no blocks, and the state in CouchDB', (cwd) => remove(cwd, 'chains'), { values: COUCHDB }, [EMPTY]],
  [
    'no blocks and no state',
    (cwd) => remove(cwd, 'chains', 'stateLeveldb', 'historyLeveldb', 'pvtdataStore'),
    {},
    ['warning channel-empty: Failed to load chain ch1(channelconfig Config cannot be nil)'],
  ],
  [
    'no block since it joined with a snapshot',
    (cwd) => {
      for (const name of readdirSync(join(cwd, CHAIN))) rmSync(join(cwd, CHAIN, name));
      writeFileSync(join(cwd, CHAIN, 'bootstrappingSnapshot.info'), '');
    },
    {},
    [],
  ],
  [
    'no blocks, but an index',
    (cwd) => {
      rmSync(join(cwd, CHAIN), { recursive: true });
      write(cwd, 'chains/index', { 'ch1\0blkMgrInfo': Buffer.from([0, 100, 0, 0]) });
    },
    {},
    ['cause block-file-cut: Could not retrieve header of the last block form file'],
  ],
] as readonly (readonly [string, (cwd: string) => void, Parameters<typeof found>[2], readonly string[]])[])
  test(`a peer with a channel, and with ${title}: ${expected.join('; ') || 'nothing is found'}`, async (t) => {
    t.deepEqual(await found(t, change, options), [...expected]);
  });

const BLOCKS = 'ledger/chains/ch1';
const indexed = (cwd: string): void =>
  writeDatabase(join(cwd, 'ledger/index'), {
    'ch1\0blkMgrInfo': Buffer.from([0, 100, 0, 0]),
    'ch1\0n': NONE,
  });
const LOST = 'the blocks of the channel ch1 are gone, but it is in DIR/';
const REMOVED = 'the channel ch1 has no blocks: the orderer removes it at its start';

for (const [title, change, expected] of [
  [
    'an index of its channel without a folder',
    indexed,
    [`${LOST}ledger/index: the orderer starts without it`],
  ],
  [
    'a write-ahead log of its channel without a folder',
    (cwd) => writeWithFolder(join(cwd, 'wal/ch1/0000000000000000-0000000000000000.wal'), walLog()),
    [`${LOST}wal/ch1: the orderer starts without it`],
  ],
  ['a file in place of a write-ahead log', (cwd) => writeWithFolder(join(cwd, 'wal/x'), ''), []],
  [
    'a channel that it is removing',
    (cwd) => {
      indexed(cwd);
      writeWithFolder(join(cwd, 'ledger/pendingops/remove/ch1.remove'), '');
    },
    [],
  ],
  ['an empty folder for blocks', (cwd) => writeWithFolder(join(cwd, BLOCKS, 'x'), ''), [REMOVED]],
  ['an empty file of blocks', (cwd) => writeWithFolder(join(cwd, BLOCKS, 'blockfile_000000'), ''), [REMOVED]],
  [
    'an empty folder of a channel that it joins',
    (cwd) => {
      writeWithFolder(join(cwd, BLOCKS, 'x'), '');
      writeWithFolder(join(cwd, 'ledger/pendingops/join/ch1.join'), '');
    },
    [],
  ],
] as readonly (readonly [string, (cwd: string) => void, readonly string[]])[])
  test(`an orderer with ${title}: ${expected.join('; ') || 'nothing is found'}`, async (t) => {
    const causes = await causesOf(t, {
      kind: 'orderer',
      values: { Consensus: { WALDir: 'wal', SnapDir: 'snap' } },
      change,
    });
    t.deepEqual(
      causes
        .filter(({ id }) => id !== 'channel-unreadable')
        .map(({ severity, id, means }) => [severity, id, means]),
      expected.map((means) => ['warning', 'channel-lost', means]),
    );
  });
