// The write-ahead logs and snapshots of an orderer. test/e2e/preflight.test.ts compares them with the programs of Fabric.

import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { channelOf, type Config } from '../../../../translator/channel/index.js';
import { addConsenter, removeConsenter } from '../../../../translator/edit/index.js';
import { firstBlock } from '../../../helpers/first-block.js';
import { configBlock } from '../../../helpers/migration.js';
import { causesOf } from '../../../helpers/preflight-node.js';
import {
  blockOfEntry,
  lockContent,
  raftSnapshot,
  walFiles,
  walFrame,
  walLog,
  walUpTo,
  writeWithFolder,
} from '../../../helpers/raft-files.js';
import { writeStoredBlocks } from '../../../helpers/stored-ledger.js';

const WAL = 'wal/ch1/0000000000000000-0000000000000000.wal';
const SNAP = (index: number): string => `snap/ch1/0000000000000001-000000000000000${index}.snap`;
const at = (path: string, content: Uint8Array): readonly [string, Uint8Array] => [path, content];

interface Options {
  /** The entry of the newest block. */
  readonly index?: number;
  /** Whether the orderer is a consenter of the channel. */
  readonly isConsenter?: boolean;
  readonly version?: string;
  readonly values?: Readonly<Record<string, unknown>>;
}

/** The findings of an orderer with these files. */
async function found(
  t: ExecutionContext,
  files: readonly (readonly [path: string, content: Uint8Array])[],
  { index = 5, isConsenter = true, version = '3.1.5', values = {} }: Options = {},
): Promise<readonly string[]> {
  const causes = await causesOf(t, {
    kind: 'orderer',
    version,
    values: { Consensus: { WALDir: 'wal', SnapDir: 'snap' }, ...values },
    change(cwd) {
      const tls = readFileSync(join(cwd, 'tls/server.crt'));
      const { config } = configBlock(0);
      const own = isConsenter ? addConsenter(config, { address: 'orderer9:7050', tls }).config : config;
      writeStoredBlocks(join(cwd, 'ledger/chains/ch1'), [blockOfEntry(firstBlock({ config: own }), index)]);
      for (const [path, content] of files) writeWithFolder(join(cwd, path), content);
    },
  });
  return causes
    .filter(({ id }) => id !== 'consenter-unknown')
    .map(({ severity, id, means }) => `${severity} ${id}: ${means}`);
}

const GOOD = walLog(...walUpTo(5));
const TWO = walFiles(walUpTo(3), walUpTo(5, 4));
const LOST =
  'warning wal-behind: the write-ahead log of the channel ch1 is missing: there is no DIR/wal/ch1: the orderer starts, and ends as soon as another consenter leads that knows it';
const old = (last: number): string =>
  `warning wal-behind: the write-ahead log DIR/wal/ch1 of the channel ch1 is older than the blocks: its newest entry is ${last}, and the newest block is of the entry 5: the orderer starts, and ends as soon as another consenter leads that knows it`;
const cut = (problem: string): string =>
  `cause wal-cut: the write-ahead log of the channel ch1 is truncated or damaged: ${problem}`;
const at0 = (number: number, first = 0): string =>
  `wal/ch1/${number.toString(16).padStart(16, '0')}-${first.toString(16).padStart(16, '0')}.wal`;

/** A record whose data has been changed after its checksum was made. */
const damaged = (log: Buffer): Buffer => {
  const copy = Buffer.from(log);
  copy[copy.length - 12] = copy[copy.length - 12]! ^ 1;
  return copy;
};
/** A record that was not written completely: a sector of it has only zeros. */
const torn = (): Buffer => {
  const log = walLog(...walUpTo(5), { type: ENTRY, data: Buffer.alloc(2000, 1) });
  return Buffer.concat([log.subarray(0, -1000), Buffer.alloc(1000)]);
};
const ENTRY = 2;

const CASES: readonly (readonly [
  title: string,
  files: readonly (readonly [path: string, content: Uint8Array])[],
  options: Options,
  expected: readonly string[],
])[] = [
  ['a log up to its newest block', [at(WAL, GOOD)], {}, []],
  ['a log with zeros after its records', [at(WAL, Buffer.concat([GOOD, Buffer.alloc(4096)]))], {}, []],
  ['a log that is newer than its blocks', [at(WAL, walLog(...walUpTo(9)))], {}, []],
  ['no log', [], {}, [LOST]],
  ['no log, as a follower', [], { isConsenter: false }, []],
  ['no log, and blocks of no entry', [], { index: 0 }, []],
  ['an older log', [at(WAL, walLog(...walUpTo(4)))], {}, [old(4)]],
  ['an empty log', [at(WAL, Buffer.alloc(0))], {}, [old(0)]],
  ['no log, but a snapshot of its newest block', [at(SNAP(5), raftSnapshot(5))], {}, []],
  ['no log, but an older snapshot', [at(SNAP(4), raftSnapshot(4))], {}, [LOST]],
  [
    'a log of which an older copy was overwritten',
    [at(WAL, walLog(...walUpTo(5), ...walUpTo(4, 3)))],
    {},
    [old(4)],
  ],
  ['logs in two files', [at(at0(0), TWO[0]!), at(at0(1, 4), TWO[1]!)], {}, []],
  [
    'a missing file between two',
    [at(at0(1), walLog(...walUpTo(2))), at(at0(3, 5), walLog(...walUpTo(5, 5)))],
    {},
    ['cause wal-files: files of the write-ahead log of the channel ch1 are missing, or its snapshots are'],
  ],
  [
    'a log that begins after its snapshot',
    [at(at0(1, 4), walLog(...walUpTo(5, 4))), at(SNAP(2), raftSnapshot(2))],
    {},
    [
      'cause wal-files: files of the write-ahead log of the channel ch1 are missing: it has to begin with the snapshot of the entry 2',
    ],
  ],
  [
    'files with other names',
    [at('wal/ch1/0.wal', GOOD)],
    {},
    ['cause wal-files: files of the write-ahead log of the channel ch1 are missing, or its snapshots are'],
  ],
  [
    'a log from its snapshot on',
    [at(at0(1, 4), walLog(...walUpTo(5, 5))), at(SNAP(4), raftSnapshot(4))],
    {},
    [],
  ],
  [
    'a newer snapshot than its log',
    [at(WAL, walLog(...walUpTo(3))), at(SNAP(5), raftSnapshot(5))],
    {},
    [
      'cause wal-contradiction: the write-ahead log of the channel ch1 ends before its newest snapshot: it was restored from an older copy',
    ],
  ],
  [
    'a newer snapshot that is damaged',
    [at(WAL, GOOD), at(SNAP(3), raftSnapshot(3)), at(SNAP(9), raftSnapshot(9).subarray(0, -1))],
    {},
    [],
  ],
  ['a newer snapshot that is empty', [at(WAL, GOOD), at(SNAP(9), Buffer.alloc(0))], {}, []],
  [
    'lost entries at its end',
    [at(WAL, walLog(...walUpTo(3), { commit: 5 }))],
    {},
    [
      'cause wal-contradiction: the write-ahead log of the channel ch1 has lost entries at its end: the newest is 3, but entries up to 5 were committed',
    ],
  ],
  [
    'a gap between entries',
    [at(WAL, walLog({ entry: 1 }, { entry: 3 }))],
    {},
    [cut(`the record at byte ${walLog({ entry: 1 }).length} has the entry 3, but the newest before it is 1`)],
  ],
  [
    'a record with another checksum',
    [at(WAL, damaged(GOOD))],
    {},
    [cut(`the record at byte ${walLog(...walUpTo(5).slice(0, -1)).length} has another checksum`)],
  ],
  [
    'a record that is no message',
    [at(WAL, Buffer.concat([GOOD, walFrame(Buffer.alloc(16, 0xff))]))],
    {},
    [cut(`the record at byte ${GOOD.length} is damaged`)],
  ],
  ['a torn record, which 3.0.0 cuts off', [at(WAL, torn())], { version: '3.0.0' }, []],
  ['a torn record', [at(WAL, torn())], {}, [cut(`the record at byte ${GOOD.length} has another checksum`)]],
  [
    'a torn record before its newest file',
    [at(at0(0), torn()), at(at0(1, 6), walLog())],
    { version: '3.0.0' },
    [cut(`the record at byte ${GOOD.length} has another checksum`)],
  ],
  [
    'another checksum at the start of a file',
    [at(at0(0), TWO[0]!), at(at0(1, 4), walFiles([{ entry: 9 }], walUpTo(5, 4))[1]!)],
    {},
    [cut('the record at byte 0 has another checksum')],
  ],
];

for (const [title, files, options, expected] of CASES)
  test(`an orderer with ${title}: ${expected.join('; ') || 'nothing is found'}`, async (t) => {
    t.deepEqual(await found(t, files, options), [...expected]);
  });

for (const [title, bytes, isCut] of [
  ['only the length of a record', walFrame(Buffer.alloc(9, 1)).subarray(0, 8), true],
  ['only the length of a record of 8 bytes', walFrame(Buffer.alloc(8, 1)).subarray(0, 8), false],
  ['a record without the last byte of its data', walFrame(Buffer.alloc(8, 1)).subarray(0, -1), false],
  ['a record that is as long as the rest of the file', walFrame(Buffer.alloc(16, 1)).subarray(0, -8), false],
  ['a record that is longer than the file', walFrame(Buffer.alloc(64, 1)).subarray(0, 24), true],
] as const)
  test(`a write-ahead log that ends with ${title} is ${isCut ? 'cut' : 'repaired by the orderer'}`, async (t) => {
    const [first, ...others] = await found(t, [at(WAL, Buffer.concat([GOOD, bytes]))]);
    t.is(first?.startsWith('cause wal-cut: ') ?? false, isCut, first);
    t.deepEqual(others, []);
  });

/** A channel whose only consenter has this certificate. */
function oneConsenter(tls: Uint8Array): { readonly config: Config } {
  const { config } = configBlock(0);
  const others = channelOf(config).orderer.consenters.map(({ host, port }) => `${host}:${port}`);
  return others.reduce(
    (before, address) => removeConsenter(before.config, address),
    addConsenter(config, { address: 'orderer9:7050', tls }),
  );
}

test('with one consenter, a channel whose log is missing has no leader', async (t) => {
  const causes = await causesOf(t, {
    kind: 'orderer',
    values: { Consensus: { WALDir: 'wal', SnapDir: 'snap' } },
    change(cwd) {
      const tls = readFileSync(join(cwd, 'tls/server.crt'));
      const { config } = oneConsenter(tls);
      writeStoredBlocks(join(cwd, 'ledger/chains/ch1'), [blockOfEntry(firstBlock({ config }), 5)]);
    },
  });
  t.deepEqual(
    causes.map(({ id, means, prints }) => [id, means, prints]),
    [
      [
        'wal-behind',
        'the write-ahead log of the channel ch1 is missing: there is no DIR/wal/ch1: the orderer starts, and the channel has no leader',
        '',
      ],
    ],
  );
});

test('without Consensus.WALDir the log is in the directory that the orderer is started in', async (t) => {
  const values = { Consensus: null };
  t.deepEqual(await found(t, [at('ch1/0000000000000000-0000000000000000.wal', GOOD)], { values }), []);
  t.is((await found(t, [at(WAL, GOOD)], { values })).length, 1);
});

for (const [title, files, expected] of [
  [
    'the directory of the logs is a file',
    [at('wal', Buffer.alloc(0))],
    'cause wal-unusable: the orderer cannot use DIR/wal: not a directory',
  ],
  [
    'the directory of the snapshots is a file',
    [at('snap', Buffer.alloc(0))],
    'cause wal-unusable: the orderer cannot use DIR/snap: not a directory',
  ],
  ['the directory of a log is a file, which the orderer replaces', [at('wal/ch1', Buffer.alloc(0))], LOST],
] as const)
  test(`${title}: ${expected}`, async (t) => {
    t.deepEqual(await found(t, files), [expected]);
  });

test('a directory in place of a log file cannot be opened', async (t) => {
  const causes = await causesOf(t, {
    kind: 'orderer',
    values: { Consensus: { WALDir: 'wal', SnapDir: 'snap' } },
    change(cwd) {
      const tls = readFileSync(join(cwd, 'tls/server.crt'));
      const { config } = addConsenter(configBlock(0).config, { address: 'orderer9:7050', tls });
      writeStoredBlocks(join(cwd, 'ledger/chains/ch1'), [firstBlock({ config })]);
      mkdirSync(join(cwd, WAL), { recursive: true });
    },
  });
  t.deepEqual(
    causes.map(({ id, prints }) => [id, prints]),
    [['wal-unusable', `ofdTryLockFile failed to open "DIR/${WAL}" (open DIR/${WAL}: is a directory)`]],
  );
});

for (const kind of ['OFDLCK', 'POSIX'] as const)
  test(`a write-ahead log with the lock ${kind} of another process is a cause`, async (t) => {
    let pid: number | undefined;
    const causes = await causesOf(t, {
      kind: 'orderer',
      values: { Consensus: { WALDir: 'wal', SnapDir: 'snap' } },
      async change(cwd) {
        const tls = readFileSync(join(cwd, 'tls/server.crt'));
        const { config } = addConsenter(configBlock(0).config, { address: 'orderer9:7050', tls });
        writeStoredBlocks(join(cwd, 'ledger/chains/ch1'), [firstBlock({ config })]);
        writeWithFolder(join(cwd, WAL), GOOD);
        const holder = await lockContent(join(cwd, WAL), kind);
        t.teardown(() => holder.kill());
        ({ pid } = holder);
      },
    });
    t.deepEqual(
      causes.map(({ id, prints, means }) => [id, prints, means]),
      [
        [
          'wal-locked',
          'fileutil: file already locked',
          `${kind === 'OFDLCK' ? 'another process' : `the process ${pid}`} has locked the write-ahead log DIR/${WAL} of the channel ch1`,
        ],
      ],
    );
  });
