// The ledger folder of a node: folders, databases, lock, block files, write-ahead logs. causes.test.ts has the other faults.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { firstBlock } from '../../../helpers/first-block.js';
import { causesOf, type ChangedNode } from '../../../helpers/preflight-node.js';
import { writeStoredBlocks } from '../../../helpers/stored-ledger.js';

type Kind = ChangedNode['kind'];

const CHAINS = { peer: 'data/ledgersData/chains/chains', orderer: 'ledger/chains' } as const;
const INDEX = { peer: 'data/ledgersData/chains/index', orderer: 'ledger/index' } as const;
const CLUSTER = {
  'General.Cluster': { ClientCertificate: 'tls/server.crt', ClientPrivateKey: 'tls/server.key' },
};
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
  values: Readonly<Record<string, unknown>> = {},
): Promise<readonly string[]> {
  const own = kind === 'orderer' ? CLUSTER : {};
  const causes = await causesOf(t, {
    kind,
    values: { ...own, ...values },
    ...(change !== undefined && { change }),
  });
  return causes
    .filter(({ id }) => id !== TLS_WARNING)
    .map(({ severity, id, where, says }) => `${severity} ${id} at ${where}: ${says}`);
}

/** A database with a value (goleveldb: a log of one batch). */
function writeDatabase(cwd: string, path: string, name: string, value: Buffer): void {
  const key = Buffer.from(name, 'latin1');
  const head = Buffer.alloc(12);
  head.writeUInt32LE(1, 8);
  const put = [Buffer.from([1, key.length]), key, Buffer.from([value.length]), value];
  const batch = Buffer.concat([head, ...put]);
  const frame = Buffer.alloc(7);
  frame.writeUInt16LE(batch.length, 4);
  frame[6] = 1;
  write(cwd, `${path}/CURRENT`, 'MANIFEST-000001\n');
  write(cwd, `${path}/MANIFEST-000001`, '');
  write(cwd, `${path}/000002.log`, Buffer.concat([frame, batch]));
}

const BROKEN =
  'cause database-broken at DIR/ledger/index: Error opening leveldb: database entry point either missing or corrupted';
for (const [files, isBroken] of [
  [{}, false],
  [{ LOCK: '' }, false],
  [{ '000001.log': '' }, true],
  [{ '000001.ldb': '' }, true],
  [{ CURRENT: 'MANIFEST-000001\n', '000001.log': '' }, true],
  [{ CURRENT: 'MANIFEST-000001\n', 'MANIFEST-000001': '' }, false],
  [{ CURRENT: 'MANIFEST-000001\n', 'MANIFEST-000002': '' }, true],
  [{ 'CURRENT.bak': 'MANIFEST-000001\n', 'MANIFEST-000001': '' }, false],
  [{ 'CURRENT.7': 'MANIFEST-000001\n', 'MANIFEST-000001': '' }, false],
  [{ 'CURRENT.old': 'MANIFEST-000001\n', 'MANIFEST-000001': '' }, true],
  // A file CURRENT has one line.
  [{ CURRENT: `MANIFEST-000001${' '.repeat(1024 - 15)}`, 'MANIFEST-000001': '' }, false],
  [{ CURRENT: `MANIFEST-000001${' '.repeat(1025 - 15)}`, 'MANIFEST-000001': '' }, true],
] as const)
  test(`a database with ${JSON.stringify(files).replaceAll(/ {9,}/g, '…')} (${JSON.stringify(files).length} characters) ${isBroken ? 'has lost its state' : 'is no cause'}`, async (t) => {
    const causes = await found(t, 'orderer', (cwd) => {
      for (const [name, content] of Object.entries(files)) write(cwd, `ledger/index/${name}`, content);
    });
    t.deepEqual(causes, isBroken ? [BROKEN] : []);
  });

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
        `cause database-broken at DIR/data/${name}: Error opening leveldb: database entry point either missing or corrupted`,
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
        if (hasChannel) writeStoredBlocks(join(cwd, CHAINS.peer, 'ch1'), [firstBlock({})]);
        writeDatabase(cwd, `data/ledgersData/${name}`, key, Buffer.from(format));
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

test('a peer whose ledger folder is a file says what it cannot determine, and an orderer what it cannot make', async (t) => {
  t.deepEqual(await found(t, 'peer', (cwd) => write(cwd, 'data', '')), [
    "cause ledger-unusable at core.yaml: peer.fileSystemPath (DIR/data): could not determine whether file 'DIR/data/lifecycle/chaincodes' exists",
  ]);
  t.deepEqual(await found(t, 'peer', (cwd) => write(cwd, 'data/ledgersData', '')), [
    'cause ledger-unusable at core.yaml: peer.fileSystemPath (DIR/data/ledgersData): error while creating dir: DIR/data/ledgersData/fileLock: mkdir',
  ]);
  t.deepEqual(await found(t, 'orderer', (cwd) => write(cwd, 'ledger', '')), [
    'cause ledger-unusable at orderer.yaml: FileLedger.Location (DIR/ledger): error while creating dir: DIR/ledger/index: mkdir',
  ]);
});

for (const [kind, key, says] of [
  [
    'orderer',
    'orderer.yaml: FileLedger.Location',
    'error reading dir DIR/ledger/chains: open DIR/ledger/chains: not a directory',
  ],
  ['peer', 'core.yaml: peer.fileSystemPath', 'not a directory'],
] as const)
  test(`a file in place of the folder of channels of ${kind === 'peer' ? 'a peer' : 'an orderer'} is no question of permissions: ${says}`, async (t) => {
    const causes = await found(t, kind, (cwd) => write(cwd, CHAINS[kind], ''));
    t.deepEqual(causes, [`cause ledger-unusable at ${key} (DIR/${CHAINS[kind]}): ${says}`]);
  });

test('the process that has locked the ledger of a node is named by its id', async (t) => {
  let pid: number | undefined;
  const causes = await causesOf(t, {
    kind: 'peer',
    async change(cwd) {
      const path = 'data/transientStoreFileLock/LOCK';
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
    says: 'lock is already acquired on file DIR/data/transientStoreFileLock',
    means: `the process ${pid} uses the ledger folder DIR/data, but does not listen on the addresses of this node`,
  });
});

/** Puts the newest block file of ch1 and its committed bytes into the index. */
function commit(cwd: string, kind: Kind, number: number, size: number): void {
  const varint = [(size & 127) | 128, ((size >> 7) & 127) | 128, size >> 14];
  writeDatabase(cwd, INDEX[kind], 'ch1\0blkMgrInfo', Buffer.from([number, ...varint, 0, 0]));
}

for (const kind of ['peer', 'orderer'] as const)
  test(`of the block files of ${kind === 'peer' ? 'a peer' : 'an orderer'} the newest of the index counts: as long is no cause, shorter or missing is one`, async (t) => {
    const chain = `${CHAINS[kind]}/ch1`;
    const at = `cause block-file-cut at DIR/${chain}/blockfile_00000`;
    const causesWith = async (number: number, more: number): Promise<readonly string[]> => {
      const causes = await found(t, kind, (cwd) => {
        writeStoredBlocks(join(cwd, chain), [firstBlock({})]);
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

const RAFT = { Consensus: { WALDir: 'wal', SnapDir: 'snap' } };
const LOG = 'wal/ch1/0000000000000000-0000000000000000.wal';

/** The findings about the write-ahead log of an orderer with a channel. */
const walFound = async (
  t: ExecutionContext,
  change: (cwd: string) => void,
  values: Readonly<Record<string, unknown>> = RAFT,
): Promise<readonly string[]> =>
  found(
    t,
    'orderer',
    (cwd) => {
      writeStoredBlocks(join(cwd, CHAINS.orderer, 'ch1'), [firstBlock({})]);
      change(cwd);
    },
    values,
  );

/** A record: the length and the padding of its data, and the data. */
function record(length: number, padding = (8 - (length % 8)) % 8): Buffer {
  const frame = Buffer.alloc(8);
  frame.writeBigUInt64LE(BigInt(length) | (padding === 0 ? 0n : BigInt(0x80 | padding) << 56n));
  return Buffer.concat([frame, Buffer.alloc(length + padding, 0xff)]);
}

const CUT = `cause wal-cut at DIR/${LOG}: failed to create or read WAL: failed to read WAL and cannot repair`;
for (const [title, path, bytes, isCut] of [
  ['no record', LOG, Buffer.alloc(0), false],
  ['less than the length of a record', LOG, Buffer.alloc(7, 0xff), false],
  ['only the length of a record', LOG, record(8).subarray(0, 8), true],
  ['complete records', LOG, Buffer.concat([record(8), record(9), record(1)]), false],
  ['a record without the last byte of its data', LOG, record(8).subarray(0, -1), false],
  ['a record as long as the file', LOG, record(8).subarray(0, -8), true],
  ['a record, and one that is too long', LOG, Buffer.concat([record(9), record(64).subarray(0, 24)]), true],
  [
    'zeros before a record that is too long',
    LOG,
    Buffer.concat([Buffer.alloc(8), record(64).subarray(0, 8)]),
    false,
  ],
  ['another name', 'wal/ch1/0.wal', record(64).subarray(0, 8), false],
  ['another channel', LOG.replace('ch1', 'ch2'), record(64).subarray(0, 8), false],
] as const)
  test(`a write-ahead log with ${title} ${isCut ? 'is cut' : 'is no cause'}`, async (t) => {
    t.deepEqual(await walFound(t, (cwd) => write(cwd, path, bytes)), isCut ? [CUT] : []);
  });

test('the write-ahead logs of an orderer are below its own settings', async (t) => {
  const at = (key: string, says: string): string =>
    `cause wal-unusable at orderer.yaml: Consensus.${key}: ${says}: mkdir`;
  t.deepEqual(await walFound(t, (cwd) => write(cwd, 'wal', '')), [at('WALDir', 'failed to initialize WAL')]);
  t.deepEqual(await walFound(t, (cwd) => write(cwd, 'snap/ch1', '')), [at('SnapDir', 'for snapshot')]);
  t.deepEqual(await walFound(t, (cwd) => write(cwd, 'snap/ch1', ''), { Consensus: { SnapDir: 'snap' } }), []);
  t.deepEqual(await walFound(t, (cwd) => write(cwd, 'wal/ch1/x', ''), { Consensus: { WALDir: 'wal' } }), []);
});
