import test from 'ava';
import type { RaftWal } from '../../../../plugins/health/disk/raft-wal.js';
import { parseAmount } from '../../../../plugins/health/disk/amount.js';
import { spaceProblem, untilFull, type FileSystem } from '../../../../plugins/health/disk/judge.js';

const HOUR = 3_600_000;
const GIB = 2 ** 30;
const NOW = Date.UTC(2026, 0, 1);
const limit = (text: string) => ({ text, of: parseAmount(text) });
const LIMITS = {
  minimum: limit('5%'),
  warning: limit('15%'),
  minimumInodes: limit('5%'),
  fullWithin: 72 * HOUR,
};

/** A file system of 100 GiB, of which some are free, that grows by some GiB an hour. */
function system(free: number, growth?: number, wals?: readonly RaftWal[], size = 100): FileSystem {
  const space = { device: 1, bytes: size * GIB, freeBytes: free * GIB, inodes: 1000, freeInodes: 900 };
  return { space, growth: growth === undefined ? undefined : (growth * GIB) / HOUR, wals };
}

const wal = (channel: string): RaftWal => ({ channel });
const CASES: readonly (readonly [title: string, system: FileSystem, reason: string | undefined])[] = [
  ['enough space', system(50), undefined],
  [
    'growth of 1 GiB an hour and 50 GiB free',
    system(50, 1),
    'WARNING full in 2 days: 50.0 GiB of 100.0 GiB are free, and it grows by 24.0 GiB a day; sooner than 3 days is a warning',
  ],
  ['growth of 1 GiB an hour and 72 GiB free', system(72, 1), undefined],
  [
    'growth of 8 GiB an hour and 6 GiB free',
    system(6, 8),
    'WARNING full in 45 minutes: 6.0 GiB of 100.0 GiB are free, and it grows by 192.0 GiB a day; sooner than 3 days is a warning',
  ],
  ['less used space than before', system(50, -1), undefined],
  ['4 GiB free', system(4, 1), '4.0 GiB of 100.0 GiB are free; the minimum is 5%'],
  ['no WAL yet, and space for a channel', system(0.12, undefined, [], 0.5), undefined],
  [
    'no WAL yet, and 102 MiB',
    system(0.1, undefined, [], 0.5),
    'WARNING 102.4 MiB of 512.0 MiB are free; raft WALs can need 122.1 MiB: 122.1 MiB for a new channel',
  ],
  [
    'the WALs of 2 channels, and space for the next segments and a channel',
    system(0.25, undefined, [wal('a'), wal('b')], 1),
    undefined,
  ],
  [
    'the WALs of 2 channels, and 205 MiB',
    system(0.2, undefined, [wal('a'), wal('b')], 1),
    'WARNING 204.8 MiB of 1.0 GiB are free; raft WALs can need 244.1 MiB: 61.0 MiB for the next segment of each of 2 channels and 122.1 MiB for a new channel',
  ],
  [
    'the WAL of a channel, and 51 MiB',
    system(0.05, undefined, [wal('a')], 0.2),
    '51.2 MiB of 204.8 MiB are free; the next segment of a raft WAL takes 61.0 MiB, and without it the orderer panics',
  ],
  [
    'segments that were not allocated an hour ago',
    system(50, undefined, [
      { channel: 'a', failedAt: NOW - HOUR },
      wal('b'),
      { channel: 'c', failedAt: NOW - HOUR },
    ]),
    'there was no space for the next segment of the raft WAL of a, c: the orderer panics when the current segment is full, even if there is space again; free 61.0 MiB for each and restart it',
  ],
  [
    'a segment that is being allocated',
    system(50, undefined, [{ channel: 'a', failedAt: NOW - 10 }]),
    undefined,
  ],
];

for (const [title, found, expected] of CASES)
  test(`the file system with ${title} is ${expected === undefined ? 'healthy' : expected.startsWith('WARNING') ? 'a warning' : 'critical'}`, (t) => {
    const problem = spaceProblem(found, LIMITS, NOW);
    t.is(problem && `${problem.severity === 'warning' ? 'WARNING ' : ''}${problem.reason}`, expected);
  });

/** A file system at a limit. Sizes are in bytes. */
const exact = (space: Partial<FileSystem['space']>, more: Partial<FileSystem> = {}): FileSystem => ({
  space: { device: 1, bytes: 1000, freeBytes: 1000, inodes: 1000, freeInodes: 1000, ...space },
  growth: undefined,
  wals: undefined,
  ...more,
});
const FREE = 244_000_000;
const EXACT: readonly (readonly [title: string, system: FileSystem, problem: RegExp | undefined])[] = [
  [
    '5% free',
    exact({ freeBytes: 50 }),
    /^warning 50 bytes of 1000 bytes are free; less than 15% is a warning$/,
  ],
  [
    'a byte less than 5% free',
    exact({ freeBytes: 49 }),
    /^critical 49 bytes of 1000 bytes are free; the minimum is 5%$/,
  ],
  ['15% free', exact({ freeBytes: 150 }), undefined],
  [
    'a byte less than 15% free',
    exact({ freeBytes: 149 }),
    /^warning 149 bytes .*; less than 15% is a warning$/,
  ],
  ['5% of the inodes free', exact({ freeInodes: 50 }), undefined],
  [
    'an inode less than 5% free',
    exact({ freeInodes: 49 }),
    /^critical 49 of 1000 inodes are free; the minimum is 5%$/,
  ],
  ['no inodes at all', exact({ inodes: 0, freeInodes: 0 }), undefined],
  [
    'the space of one segment',
    exact({ bytes: 2 * FREE, freeBytes: 64_000_000 }, { wals: [wal('a')] }),
    /^warning /,
  ],
  [
    'a byte less than the space of one segment',
    exact({ bytes: 2 * FREE, freeBytes: 63_999_999 }, { wals: [wal('a')] }),
    /^critical .*; the next segment of a raft WAL takes 61\.0 MiB/,
  ],
  [
    'little space, and no WAL',
    exact({ bytes: 2 * FREE, freeBytes: 63_999_999 }, { wals: [] }),
    /^warning .*; raft WALs can need 122\.1 MiB: 122\.1 MiB for a new channel$/,
  ],
  [
    'the space of two segments and a channel',
    exact({ bytes: FREE + 12_000_000, freeBytes: 256_000_000 }, { wals: [wal('a'), wal('b')] }),
    undefined,
  ],
  [
    'a byte less than two segments and a channel',
    exact({ bytes: FREE + 12_000_000, freeBytes: 255_999_999 }, { wals: [wal('a'), wal('b')] }),
    /^warning .*; raft WALs can need 244\.1 MiB/,
  ],
  [
    'a segment that has been empty for 60 s',
    exact({ bytes: 1e9, freeBytes: 1e9 }, { wals: [{ channel: 'a', failedAt: NOW - 60_000 }] }),
    undefined,
  ],
  [
    'a segment that has been empty for longer than 60 s',
    exact({ bytes: 1e9, freeBytes: 1e9 }, { wals: [{ channel: 'a', failedAt: NOW - 60_001 }] }),
    /^critical there was no space for the next segment of the raft WAL of a:/,
  ],
  ['three days until it is full', exact({}, { growth: 1000 / (72 * HOUR) }), undefined],
  [
    'less than three days until it is full',
    exact({}, { growth: 1000 / (72 * HOUR - 1) }),
    /^warning full in /,
  ],
  ['an inode less, and growth', exact({ freeInodes: 49 }, { growth: 1000 }), /^critical 49 of 1000 inodes/],
];
for (const [title, found, expected] of EXACT)
  test(`the file system with ${title}: ${expected?.source ?? 'healthy'}`, (t) => {
    const problem = spaceProblem(found, LIMITS, NOW);
    const text = problem && `${problem.severity ?? 'critical'} ${problem.reason}`;
    if (expected === undefined) t.is(text, undefined);
    else t.regex(text ?? '', expected);
  });

test('fullWithin 0 warns of nothing', (t) => {
  t.is(spaceProblem(system(50, 20), { ...LIMITS, fullWithin: 0 }, NOW), undefined);
});

test('the time until a file system is full is unknown when it does not grow', (t) => {
  t.is(untilFull(system(10, 2)), 5 * HOUR);
  for (const growth of [undefined, 0, -1]) t.is(untilFull(system(10, growth)), undefined);
});
