import { chmodSync, mkdirSync, statfsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import test from 'ava';
import { bytesText, parseAmount } from '../../../../plugins/health/disk/amount.js';
import { shortNames } from '../../../../core/kit/files.js';
import { createNodeTestContext } from '../../../../core/testing/context.js';
import disk from '../../../../plugins/health/disk/index.js';
import type { FailedChecks } from '../../../../core/contract/index.js';
import { DISK_OPTIONS, startChecker } from '../../../helpers/checker.js';
import { stopClock } from '../../../helpers/clock.js';
import { temporaryFolder } from '../../../helpers/folder.js';

const AMOUNTS: readonly (readonly [text: string | number, ofThousand: number])[] = [
  ['5%', 50],
  ['0%', 0],
  ['100%', 1000],
  ['2.5%', 25],
  ['2GiB', 2 * 2 ** 30],
  ['500 MiB', 500 * 2 ** 20],
  ['1TiB', 2 ** 40],
  ['10000', 10_000],
  [10_000, 10_000],
];
for (const [text, expected] of AMOUNTS) {
  test(`${typeof text} ${text} of 1000 is ${expected}`, (t) => {
    t.is(parseAmount(text)(1000), expected);
  });
}

for (const text of ['', '101%', '-1', '5 %%', '2GB', '1e3', 'NaN', '%', 'GiB', undefined, null, {}]) {
  test(`the amount ${JSON.stringify(text)} is refused`, (t) => {
    t.throws(() => parseAmount(text), {
      message: 'must be a percentage such as 5%, or an amount such as 2GiB, 500MiB or 10000',
    });
  });
}

test('bytes are shown in the largest unit that fits', (t) => {
  t.deepEqual([0, 1023, 1024, 1.5 * 2 ** 30].map(bytesText), ['0 bytes', '1023 bytes', '1.0 KiB', '1.5 GiB']);
});

test('a file system with enough space is healthy, and its values are served', async (t) => {
  const path = temporaryFolder(t);
  const { check, series } = await startChecker(t, disk, { ...DISK_OPTIONS, paths: [path] });
  t.deepEqual(await check(), {});
  const { blocks, bsize } = statfsSync(path);
  t.deepEqual(await series('disk_size_bytes'), { [JSON.stringify({ path })]: blocks * bsize });
  t.deepEqual(Object.keys(await series('disk_free_bytes')), [JSON.stringify({ path })]);
});

test('a file system with too little space fails with both sizes', async (t) => {
  const path = temporaryFolder(t);
  const { check } = await startChecker(t, disk, { ...DISK_OPTIONS, minimum: '100%', paths: [path] });
  const { [basename(path)]: reason = '' } = await check();
  t.regex(reason, /^\d+\.\d [KMGT]iB of \d+\.\d [KMGT]iB are free; the minimum is 100% \(\/\S+\)$/);
});

test('a file system with too little space has a step, with a command unless a shell would change the path', async (t) => {
  for (const [name, hasCommand] of [
    ['ledger', true],
    ['my ledger', false],
  ] as const) {
    const path = join(temporaryFolder(t, { [`${name}/file`]: '' }), name);
    const { checker } = await startChecker(t, disk, { ...DISK_OPTIONS, minimum: '100%', paths: [path] });
    const error = await t.throwsAsync<FailedChecks>(async () => checker.check(new AbortController().signal));
    const text = `Free space on the file system of ${path}, or make it larger.`;
    const command = { command: `du -xh --max-depth=2 ${path} | sort -h | tail` };
    t.deepEqual(error.parts[0]?.steps, [{ text, ...(hasCommand && command) }]);
  }
});

test('a file system with too few inodes fails with their number', async (t) => {
  const path = temporaryFolder(t);
  const { files } = statfsSync(path);
  const minimumInodes = String(files + 1);
  const { check } = await startChecker(t, disk, { ...DISK_OPTIONS, minimumInodes, paths: [path] });
  const { [basename(path)]: reason = '' } = await check();
  t.true(
    files === 0 || reason.endsWith(` of ${files} inodes are free; the minimum is ${minimumInodes} (${path})`),
    reason,
  );
});

test('several paths of one file system are one part', async (t) => {
  const path = temporaryFolder(t, { 'ledger/a': '', 'snapshots/a': '' });
  const paths = ['ledger', 'snapshots', 'wal'].map((name) => join(path, name));
  const { check } = await startChecker(t, disk, { ...DISK_OPTIONS, warning: '100%', paths });
  const failed = await check();
  t.deepEqual(Object.keys(failed), ['ledger']);
  t.regex(failed['ledger']!, /; less than 100% is a warning \(\/\S+\/ledger and 2 more\)$/);
});

const NAMES: readonly (readonly [paths: readonly string[], names: readonly string[]])[] = [
  [['/var/hyperledger/production'], ['production']],
  [
    ['/data/peer0/ledger', '/data/peer0/snapshots'],
    ['ledger', 'snapshots'],
  ],
  [
    ['/data/peer0/ledger', '/data/peer1/ledger', '/ledger'],
    ['peer0/ledger', 'peer1/ledger', '/ledger'],
  ],
  [
    ['/', 'data'],
    ['/', 'data'],
  ],
  [
    ['/a', '/a'],
    ['/a', '/a'],
  ],
];

for (const [paths, names] of NAMES)
  test(`the short names of ${paths.join(', ')} are ${names.join(', ')}`, (t) => {
    const found = shortNames(paths);
    t.deepEqual(
      paths.map((path) => found.get(path)),
      names,
    );
  });

test('a directory that does not exist yet has the space of its parent', async (t) => {
  const path = join(temporaryFolder(t), 'production/ledgersData');
  const { check, series } = await startChecker(t, disk, { ...DISK_OPTIONS, paths: [path] });
  t.deepEqual(await check(), {});
  t.deepEqual(Object.keys(await series('disk_size_bytes')), [JSON.stringify({ path })]);
});

test('a path below a file fails, and has no series', async (t) => {
  const path = join(temporaryFolder(t, { file: '' }), 'file/below');
  const { check, series } = await startChecker(t, disk, { ...DISK_OPTIONS, paths: [path] });
  t.regex((await check())['below'] ?? '', /^not a directory \(\/\S+\/file\/below\)$/);
  t.deepEqual(await series('disk_size_bytes'), {});
});

test('the WAL directory of an orderer is checked, and what its channels can need is served', async (t) => {
  const path = temporaryFolder(t, { 'wal/ch1/0000000000000000-0000000000000000.wal': 'x' });
  const wal = join(path, 'wal');
  const { check, series } = await startChecker(t, disk, { ...DISK_OPTIONS, paths: [path], wal });
  t.deepEqual(await check(), {});
  t.deepEqual(await series('disk_wal_needed_bytes'), { [JSON.stringify({ path: wal })]: 192e6 });
  t.deepEqual(
    Object.keys(await series('disk_free_bytes')),
    [path, wal].map((each) => JSON.stringify({ path: each })),
  );
});

for (const [title, periods, message] of [
  ['a trend of 0s is', { shortestTrend: 0 }, 'options.shortestTrend must be longer than 0s'],
  [
    'a longest trend that is shorter than the shortest is',
    { longestTrend: 1000 },
    'options.longestTrend must not be shorter than options.shortestTrend',
  ],
] as const)
  test(`${title} refused`, async (t) => {
    await t.throwsAsync(startChecker(t, disk, { ...DISK_OPTIONS, paths: ['/'], ...periods }), { message });
  });

test.serial('the growth of a file system is served when it is known', async (t) => {
  const clock = stopClock(t);
  const path = temporaryFolder(t);
  const { check, series } = await startChecker(t, disk, { ...DISK_OPTIONS, paths: [path] });
  for (let quarter = 0; quarter <= 4; quarter += 1) {
    t.deepEqual(await series('disk_growth_bytes_per_day'), {});
    await check();
    clock.tick(900_000);
  }
  t.deepEqual(Object.keys(await series('disk_growth_bytes_per_day')), [JSON.stringify({ path })]);
});

test('no paths are refused', async (t) => {
  await t.throwsAsync(startChecker(t, disk, { ...DISK_OPTIONS, paths: [] }), {
    message: 'options.paths must name at least one directory',
  });
});

// Serial, because the tests change the user of the process. Root may enter every directory.
test.serial('a path below a directory that the agent may not enter is a warning', async (t) => {
  const directory = temporaryFolder(t);
  const path = join(directory, 'ledger');
  mkdirSync(path);
  chmodSync(directory, 0);
  t.teardown(() => chmodSync(directory, 0o700));
  const { check } = await startChecker(t, disk, { ...DISK_OPTIONS, paths: [path] });
  if (process.getuid?.() === 0) {
    process.seteuid?.(65_534);
    t.teardown(() => process.seteuid?.(0));
  }
  const advice = 'let the user of the agent enter the directories of the path, or remove it from `paths`';
  t.deepEqual(await check(), { ledger: `cannot be checked: permission denied; ${advice} (${path})` });
});

test.serial('a WAL directory that the agent may not read needs space for a new channel', async (t) => {
  const path = temporaryFolder(t);
  const wal = join(path, 'wal');
  mkdirSync(wal);
  chmodSync(path, 0o711);
  const { check, series } = await startChecker(t, disk, { ...DISK_OPTIONS, paths: [path], wal });
  if (process.getuid?.() === 0) {
    chmodSync(wal, 0o700);
    process.seteuid?.(65_534);
    t.teardown(() => process.seteuid?.(0));
  } else chmodSync(wal, 0);
  t.deepEqual(await check(), {});
  t.deepEqual(await series('disk_wal_needed_bytes'), { [JSON.stringify({ path: wal })]: 128e6 });
});

test.serial('that the raft WALs are not counted is logged once', async (t) => {
  const wal = join(temporaryFolder(t), 'wal');
  mkdirSync(wal);
  chmodSync(dirname(wal), 0o711);
  const options = { ...DISK_OPTIONS, paths: [dirname(wal)], wal };
  const { context, logged } = createNodeTestContext(disk, options);
  const checker = disk.create(context);
  if (process.getuid?.() === 0) {
    chmodSync(wal, 0o700);
    process.seteuid?.(65_534);
    t.teardown(() => process.seteuid?.(0));
  } else chmodSync(wal, 0);
  for (let count = 0; count < 2; count += 1) await checker.check(new AbortController().signal);
  t.deepEqual(
    logged.map(({ level, message }) => `${level} ${message}`),
    [
      `info the raft WALs in ${wal} are not counted: permission denied; space is required for a new channel only`,
    ],
  );
});
