import test from 'ava';
import { Judge, type ChannelLink } from '../../../../plugins/health/orderer-link/judge.js';

const link = (height: bigint, highest: bigint): ChannelLink => ({
  channel: 'ch1',
  height,
  responses: [{ address: 'o:1', consenter: undefined, state: 'alive', height: highest }],
  problem: undefined,
});

/** The severities after each of some times, in seconds. */
const severitiesAt = (times: readonly (readonly [seconds: number, found: ChannelLink])[]): unknown[] => {
  const judge = new Judge({ isReader: false, maxLag: 10, lagTimeout: 60_000 });
  return times.map(([seconds, found]) => judge.failuresOf([found], seconds * 1_000)[0]?.severity);
};

test('a ledger that does not grow while the orderers respond is a warning, and critical after four times lagTimeout', (t) => {
  const stuck = link(1n, 2n);
  t.deepEqual(
    severitiesAt([
      [0, stuck],
      [59, stuck],
      [60, stuck],
      [239, stuck],
      [240, stuck],
      [241, link(2n, 3n)],
    ]),
    [undefined, undefined, 'warning', 'warning', 'critical', undefined],
  );
});

test('a ledger that grows and is far behind stays a warning', (t) => {
  t.deepEqual(
    severitiesAt([
      [0, link(1n, 100n)],
      [200, link(2n, 100n)],
      [400, link(3n, 100n)],
    ]),
    [undefined, 'warning', 'warning'],
  );
});
