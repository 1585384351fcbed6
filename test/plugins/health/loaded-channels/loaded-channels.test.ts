// The families are those of peers of Fabric 3.1.5 and 2.5.16: after a restart with and without an error, and after a channel was joined.

import test from 'ava';
import { LoadedChannels } from '../../../../plugins/health/loaded-channels/judge.js';
import loadedChannels from '../../../../plugins/health/loaded-channels/index.js';
import type { SourceReading } from '../../../../core/contract/index.js';
import { channelReading, fakeReadings, startChecker } from '../../../helpers/checker.js';

const HEIGHT = 'ledger_blockchain_height';
const MEMBERS = 'gossip_membership_total_peers_known';
const COMMITTED = 'ledger_transaction_count';
const LINE =
  '2026-11-28 18:31:42.147 UTC 003e ERRO [peer] Initialize -> Failed to load ledger gamma(the state database [height=4] is ahead of the block store [height=2])';

/** A peer that has run for a time in seconds. */
const readingOf = (uptime: number, families: Parameters<typeof channelReading>[0]): SourceReading => ({
  ...channelReading(families),
  startTime: 1_000_000 - uptime,
});
const TIME = 1_000_000_000;
const NOT_LOADED = { [HEIGHT]: { gamma: 2, delta: 1 }, [MEMBERS]: { delta: 0 } };
const REASON =
  "the peer has not loaded the channel: the reason is in its log after its last start, in the line with 'Failed to load ledger gamma'";
const LOGGED =
  'the peer has not loaded the channel: Failed to load ledger gamma(the state database [height=4] is ahead of the block store [height=2])';

const reasonsOf = (
  channels: LoadedChannels,
  reading: SourceReading,
  lines: readonly string[] = [],
  now = 0,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    channels.failuresOf(reading, lines, now, TIME).map(({ component, reason }) => [component, reason]),
  );

for (const [what, uptime, families, lines, expected] of [
  ['loaded, and quiet since the start', 40, { [HEIGHT]: { gamma: 4 }, [MEMBERS]: { gamma: 0 } }, [], {}],
  ['without members 29 s after the start', 29, NOT_LOADED, [], {}],
  ['without members 30 s after the start', 30, NOT_LOADED, [], { gamma: REASON }],
  ['without members, and a line in the log', 40, NOT_LOADED, ['x', LINE], { gamma: LOGGED }],
  ['a line in the log right after the start', 1, { [HEIGHT]: { gamma: 2 } }, [LINE], { gamma: LOGGED }],
  ['a line in the log, and no height', 1, {}, [LINE], { gamma: LOGGED }],
  [
    'a line of an earlier process in the log, and members',
    40,
    { [HEIGHT]: { gamma: 4 }, [MEMBERS]: { gamma: 0 } },
    [LINE],
    {},
  ],
  [
    'joined just now, by its first block',
    3600,
    { [HEIGHT]: { gamma: 1 }, [COMMITTED]: { gamma: 1 } },
    [],
    {},
  ],
  [
    'a line in the format json about a channel that cannot be created',
    40,
    { [HEIGHT]: { 'a.b-1': 2 } },
    [String.raw`{"level":"error","msg":"Failed to load chain a.b-1(no \"x\")"}`],
    { 'a.b-1': String.raw`the peer has not loaded the channel: Failed to load chain a.b-1(no \"x\")"}` },
  ],
] as const)
  test(`a channel of a peer, ${what}: ${JSON.stringify(expected)}`, (t) => {
    t.deepEqual(reasonsOf(new LoadedChannels('peer0', 5_000), readingOf(uptime, families), lines), expected);
  });

test('a peer with a longer interval of the gauge has more time', (t) => {
  const judge = (uptime: number): unknown =>
    reasonsOf(new LoadedChannels('peer0', 60_000), readingOf(uptime, NOT_LOADED));
  t.deepEqual([judge(139), judge(140)], [{}, { gamma: REASON }]);
});

test('a channel that was joined later, by a snapshot, has as much time as after a start', (t) => {
  const channels = new LoadedChannels('peer0', 5_000);
  const before = { [HEIGHT]: { delta: 1 }, [MEMBERS]: { delta: 0 } };
  t.deepEqual(reasonsOf(channels, readingOf(3600, before), [], 0), {});
  t.deepEqual(reasonsOf(channels, readingOf(3600, NOT_LOADED), [], 1_000), {});
  t.deepEqual(reasonsOf(channels, readingOf(3600, NOT_LOADED), [], 30_999), {});
  t.deepEqual(reasonsOf(channels, readingOf(3600, NOT_LOADED), [], 31_000), { gamma: REASON });
  // Another process: its channels are those of its start.
  t.deepEqual(reasonsOf(channels, readingOf(30, NOT_LOADED), [], 0), { gamma: REASON });
});

test('without a time of the start, the time since the first reading counts', (t) => {
  const channels = new LoadedChannels('peer0', 5_000);
  const reading = channelReading(NOT_LOADED);
  t.deepEqual(reasonsOf(channels, reading, [], 0), {});
  t.deepEqual(reasonsOf(channels, reading, [], 30_000), { gamma: REASON });
});

test('a ledger that is not loaded has steps, a channel whose config is the cause has none', (t) => {
  const stepsOf = (line: string): unknown =>
    new LoadedChannels('peer0', 5_000).failuresOf(readingOf(1, {}), [line], 0, TIME)[0]?.steps;
  t.deepEqual(stepsOf(LINE), [
    {
      text: 'Stop peer0, run `peer node rebuild-dbs` with its configuration, which makes its databases again from its blocks, and start it. The peer refuses this if a channel began with a snapshot.',
    },
    {
      text: 'If it still does not load the channel, stop peer0 and put back a complete copy of its ledger folder, made while it was stopped.',
    },
  ]);
  t.is(stepsOf('Failed to load chain gamma(x)'), undefined);
});

test('each channel that is not loaded is a critical part, with the line of the log of the node', async (t) => {
  const readings = fakeReadings(new Map([['peer0', readingOf(40, NOT_LOADED)]]));
  const { check, severities } = await startChecker(
    t,
    loadedChannels,
    { trackerInterval: 5_000 },
    {
      node: 'peer0',
      readings: { ...readings, logLines: async (source) => (source === 'peer0' ? [LINE] : []) },
    },
  );
  t.deepEqual(await check(), { gamma: LOGGED });
  t.deepEqual(severities(), { gamma: 'critical' });
});

test('while the metrics of the peer cannot be read, nothing is known about its channels', async (t) => {
  const { check, severities } = await startChecker(
    t,
    loadedChannels,
    { trackerInterval: 5_000 },
    { node: 'peer0', readings: fakeReadings(new Map([['peer0', undefined]])) },
  );
  t.deepEqual(await check(), { '': 'the metrics of peer0 cannot be read: connection refused' });
  t.deepEqual(severities(), { '': 'warning' });
});
