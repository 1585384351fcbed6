// The ledger folder of a node: folders, databases, lock, block files, write-ahead logs. causes.test.ts has the other faults.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { firstBlock } from '../../../helpers/first-block.js';
import { causesOf, type ChangedNode } from '../../../helpers/preflight-node.js';
import { writeDatabase } from '../../../helpers/leveldb-files.js';
import { writeStoredBlocks } from '../../../helpers/stored-ledger.js';

type Kind = ChangedNode['kind'];

const NO_BYTES = Buffer.alloc(0);
const CHAINS = { peer: 'data/ledgersData/chains/chains', orderer: 'ledger/chains' } as const;
const INDEX = { peer: 'data/ledgersData/chains/index', orderer: 'ledger/index' } as const;
const TLS_WARNING = 'consenter-unknown';

const write = (cwd: string, path: string, content: string | Uint8Array): void => {
  mkdirSync(dirname(join(cwd, path)), { recursive: true });
  writeFileSync(join(cwd, path), content);
};

/** The findings of a node with this change; not that it is no consenter of the channel. */
async function found(
  t: ExecutionContext,
  kind: Kind,
  change: ChangedNode['change'],
): Promise<readonly string[]> {
  const causes = await causesOf(t, {
    kind,
    ...(change !== undefined && { change }),
  });
  return causes
    .filter(({ id }) => id !== TLS_WARNING)
    .map(({ severity, id, where, prints }) => `${severity} ${id} at ${where}: ${prints}`);
}

test('each database of a peer is checked', async (t) => {
  const names = [
    'transientStoreFileLock',
    ...[
      'ledgerProvider',
      'chains/index',
      'pvtdataStore',
      'stateLeveldb',
      'historyLeveldb',
      'configHistory',
      'bookkeeper',
      'fileLock',
    ].map((name) => `ledgersData/${name}`),
    'transientstore',
  ];
  const causes = await found(t, 'peer', (cwd) => {
    for (const name of names) write(cwd, `data/${name}/000001.log`, '');
  });
  t.deepEqual(
    causes,
    names.map(
      (name) =>
        `cause database-broken at DIR/data/${name}: ${name.endsWith('ileLock') ? `Error acquiring lock on file DIR/data/${name}` : 'Error opening leveldb'}: database entry point either missing or corrupted`,
    ),
  );
});

for (const [name, key] of [
  ['ledgerProvider', 'f'],
  ['chains/index', '_\0f'],
  ['stateLeveldb', '_\0f'],
  ['historyLeveldb', '_\0f'],
] as const)
  for (const [format, hasChannel] of [
    ['1.x', true],
    ['2.0', true],
    ['1.x', false],
  ] as const)
    test(`a peer with the format ${format} in ${name} and ${hasChannel ? 'a channel' : 'no channel'}`, async (t) => {
      const causes = await found(t, 'peer', (cwd) => {
        if (hasChannel) giveChannel(cwd, 'peer');
        const list = hasChannel && name === 'ledgerProvider' ? { sch1: NO_BYTES } : {};
        writeDatabase(join(cwd, `data/ledgersData/${name}`), { [key]: Buffer.from(format), ...list });
      });
      const directory = `DIR/data/ledgersData/${name}`;
      t.deepEqual(
        causes,
        format === '1.x' && hasChannel
          ? [
              `cause data-format at ${directory}: The db at path [${directory}] contains data in unexpected format. expected data format = [2.0]`,
            ]
          : [],
      );
    });

test('a peer whose ledger folder is a file prints what it cannot determine, and an orderer what it cannot make', async (t) => {
  t.deepEqual(await found(t, 'peer', (cwd) => write(cwd, 'data', '')), [
    "cause ledger-unusable at core.yaml: peer.fileSystemPath (DIR/data): could not determine whether file 'DIR/data/lifecycle/chaincodes' exists",
  ]);
  t.deepEqual(await found(t, 'peer', (cwd) => write(cwd, 'data/ledgersData', '')), [
    'cause ledger-unusable at core.yaml: peer.fileSystemPath (DIR/data/ledgersData): error while creating dir: DIR/data/ledgersData/fileLock: mkdir',
  ]);
  t.deepEqual(await found(t, 'orderer', (cwd) => write(cwd, 'ledger/index', '')), [
    'cause ledger-unusable at orderer.yaml: FileLedger.Location (DIR/ledger/index): error while creating dir: DIR/ledger/index: mkdir',
  ]);
  t.deepEqual(await found(t, 'orderer', (cwd) => write(cwd, 'ledger', '')), [
    'cause ledger-unusable at orderer.yaml: FileLedger.Location (DIR/ledger): error while creating dir: DIR/ledger/index: mkdir',
  ]);
});

for (const [kind, key, prints] of [
  [
    'orderer',
    'orderer.yaml: FileLedger.Location',
    'error reading dir DIR/ledger/chains: open DIR/ledger/chains: not a directory',
  ],
  ['peer', 'core.yaml: peer.fileSystemPath', 'not a directory'],
] as const)
  test(`a file in place of the folder of channels of ${kind === 'peer' ? 'a peer' : 'an orderer'} is no question of permissions: ${prints}`, async (t) => {
    const causes = await found(t, kind, (cwd) => write(cwd, CHAINS[kind], ''));
    t.deepEqual(causes, [`cause ledger-unusable at ${key} (DIR/${CHAINS[kind]}): ${prints}`]);
  });

test('the process that has locked the ledger of a node is named by its id', async (t) => {
  let pid: number | undefined;
  const causes = await causesOf(t, {
    kind: 'peer',
    async change(cwd) {
      const path = 'data/transientStoreFileLock/LOCK';
      writeDatabase(dirname(join(cwd, path)), {});
      write(cwd, path, '');
      const holder = spawn('flock', ['-x', join(cwd, path), 'sh', '-c', 'echo locked; exec cat'], {
        stdio: ['pipe', 'pipe', 'ignore'],
      });
      t.teardown(() => holder.kill());
      await once(holder.stdout, 'data');
      ({ pid } = holder);
    },
  });
  t.is(causes.length, 1);
  t.like(causes[0], {
    id: 'ledger-locked',
    where: 'core.yaml: peer.fileSystemPath',
    prints: 'lock is already acquired on file DIR/data/transientStoreFileLock',
    means: `the process ${pid} uses the ledger folder DIR/data, but does not listen on the addresses of this node`,
  });
});

/** Gives a node the first block of ch1; a peer has it in its list of channels, and has its private data. */
function giveChannel(cwd: string, kind: Kind): void {
  writeStoredBlocks(join(cwd, CHAINS[kind], 'ch1'), [firstBlock({})]);
  if (kind === 'orderer') return;
  writeDatabase(join(cwd, 'data/ledgersData/ledgerProvider'), { f: Buffer.from('2.0'), sch1: NO_BYTES });
  writeDatabase(join(cwd, 'data/ledgersData/pvtdataStore'), { 'ch1\0\u0001': Buffer.from([0]) });
}

/** Puts the newest block file of ch1 and its committed bytes into the index. */
function commit(cwd: string, kind: Kind, number: number, size: number): void {
  const varint = [(size & 127) | 128, ((size >> 7) & 127) | 128, size >> 14];
  writeDatabase(join(cwd, INDEX[kind]), { 'ch1\0blkMgrInfo': Buffer.from([number, ...varint, 0, 0]) });
}

for (const kind of ['peer', 'orderer'] as const)
  test(`of the block files of ${kind === 'peer' ? 'a peer' : 'an orderer'} the newest of the index counts: as long is no cause, shorter or missing is one`, async (t) => {
    const chain = `${CHAINS[kind]}/ch1`;
    const at = `cause block-file-cut at DIR/${chain}/blockfile_00000`;
    const causesWith = async (number: number, more: number): Promise<readonly string[]> => {
      const causes = await found(t, kind, (cwd) => {
        giveChannel(cwd, kind);
        const { size } = statSync(join(cwd, chain, 'blockfile_000000'));
        commit(cwd, kind, number, size + more);
      });
      return causes.filter((each) => !each.includes('data-format'));
    };
    t.deepEqual(await causesWith(0, 0), []);
    t.deepEqual(await causesWith(0, 1), [
      `${at}0: error peeking [-1] bytes from block file: bufio: negative count`,
    ]);
    t.deepEqual(await causesWith(1, 0), [`${at}1: Could not retrieve header of the last block form file`]);
  });

test('bytes that are no block are behind the committed ones, or the newest block is damaged', async (t) => {
  for (const [more, ids] of [
    [0, ['block-file-tail', 'channel-unreadable']],
    // The length of the block is one byte.
    [1, ['block-file-tail', 'channel-unreadable']],
    [2, ['block-damaged', 'channel-unreadable']],
  ] as const) {
    const causes = await found(t, 'orderer', (cwd) => {
      const chain = join(cwd, CHAINS.orderer, 'ch1');
      writeStoredBlocks(chain, [firstBlock({})]);
      const path = join(chain, 'blockfile_000000');
      const { size } = statSync(path);
      writeFileSync(path, Buffer.from([3, 0xff, 0xff, 0xff]), { flag: 'a' });
      commit(cwd, 'orderer', 0, size + more);
    });
    t.deepEqual(
      causes.map((each) => each.split(' ')[1]),
      [...ids],
    );
  }
});
