// Detects a wrong clock of this host from the evidence of checkers.

import test from 'ava';
import type { TimeEvidence } from '../../../core/contract/internal/index.js';
import { isDifference } from '../../../core/health/clock.js';
import { Clock, dependsOnClock } from '../../../core/health/index.js';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 0, 2);

/** The problem of the clock if each checker records one of these. */
function problemOf(...found: readonly TimeEvidence[]): string | undefined {
  const clock = new Clock(() => NOW);
  for (const [index, evidence] of found.entries()) clock.of(`checker${index}`).record(evidence);
  return clock.problem;
}

/** Ten certificates of the last hour of the true time. */
const certificates = (early: number, expired = 0): TimeEvidence => ({
  certificates: { count: 10, early, expired, newest: NOW + (early > 0 ? 2 * HOUR : -HOUR) },
});
const date = (difference: number): TimeEvidence => ({ difference });

const WRONG: readonly (readonly [what: string, found: readonly TimeEvidence[], problem: string])[] = [
  [
    'no certificate is valid yet',
    [certificates(10)],
    'the clock of this host is at least 2h behind (no certificate is valid yet)',
  ],
  [
    'no certificate is valid yet, and the dates of two nodes are 3 h later',
    [certificates(10), date(3 * HOUR), date(3 * HOUR + 1000)],
    'the clock of this host is 3h behind (no certificate is valid yet, the difference to the clocks of 2 nodes shows it)',
  ],
  [
    'some certificates are not valid yet, and files were written later',
    [{ ...certificates(3), written: NOW + 3 * HOUR }],
    'the clock of this host is at least 3h behind (3 certificates are not valid yet, files were written later)',
  ],
  [
    'the dates of all nodes, two of them, are earlier',
    [date(-3 * HOUR), date(-3 * HOUR), certificates(0)],
    'the clock of this host is 3h ahead (the difference to the clocks of 2 nodes shows it)',
  ],
  [
    'certificates have expired, and the date of a node is years earlier',
    [certificates(0, 10), date(-9000 * HOUR)],
    'the clock of this host is 375 days ahead (10 certificates have expired, the difference to the clock of a node shows it)',
  ],
  [
    'some certificates are not valid yet, and the date of a node is later',
    [certificates(2), date(3 * HOUR)],
    'the clock of this host is 3h behind (2 certificates are not valid yet, the difference to the clock of a node shows it)',
  ],
  [
    'the dates of all nodes are later, the first by just over 5 minutes',
    [date(300_001), date(3 * HOUR)],
    'the clock of this host is 5m behind (the difference to the clocks of 2 nodes shows it)',
  ],
  [
    'the dates of all nodes are earlier, the first by just over 5 minutes',
    [date(-300_001), date(-3 * HOUR)],
    'the clock of this host is 5m ahead (the difference to the clocks of 2 nodes shows it)',
  ],
  [
    'the dates of all nodes are later by a minute less than two days',
    [date(48 * HOUR - 60_000), date(48 * HOUR - 60_000)],
    'the clock of this host is 47h59m behind (the difference to the clocks of 2 nodes shows it)',
  ],
  [
    'the dates of all nodes are later by two days',
    [date(48 * HOUR), date(48 * HOUR)],
    'the clock of this host is 2 days behind (the difference to the clocks of 2 nodes shows it)',
  ],
  [
    'the only two certificates are valid a few seconds later',
    [{ certificates: { count: 2, early: 2, expired: 0, newest: NOW + 5_000 } }],
    'the clock of this host is at least 1m behind (no certificate is valid yet)',
  ],
];

for (const [what, found, problem] of WRONG)
  test(`the clock is wrong: ${what}`, (t) => {
    t.is(problemOf(...found), problem);
  });

const RIGHT: readonly (readonly [what: string, found: readonly TimeEvidence[]])[] = [
  ['one certificate is not valid yet', [certificates(1)]],
  ['some certificates are not valid yet', [certificates(3)]],
  ['one certificate has expired', [certificates(0, 1)]],
  ['all certificates have expired, as in a network that nobody has renewed', [certificates(0, 10), date(0)]],
  ['the date of one of two nodes is later', [date(3 * HOUR), date(0)]],
  ['the dates of two nodes are 4 minutes later', [date(240_000), date(240_000)]],
  ['the dates of two nodes are 5 minutes later', [date(300_000), date(300_000)]],
  ['the dates of two nodes are 5 minutes earlier', [date(-300_000), date(-300_000)]],
  ['the date of the only node is later', [date(3 * HOUR)]],
  ['the date of the only node is earlier', [date(-3 * HOUR)]],
  [
    'one certificate has expired, and the date of one of two nodes is earlier',
    [certificates(0, 1), date(-3 * HOUR), date(0)],
  ],
  [
    'the only certificate is not valid yet',
    [{ certificates: { count: 1, early: 1, expired: 0, newest: NOW + HOUR } }],
  ],
  [
    'no certificate of one checker is valid yet, those of another one are',
    [certificates(10), certificates(0)],
  ],
  [
    'some certificates are not valid yet, and files were written 5 minutes later',
    [{ ...certificates(3), written: NOW + 300_000 }],
  ],
  ['files were written later', [{ written: NOW + HOUR }]],
];

for (const [what, found] of RIGHT)
  test(`nothing is known to be wrong with the clock: ${what}`, (t) => {
    t.is(problemOf(...found), undefined);
  });

for (const [reason, expected] of [
  ['GET https://127.0.0.1:9443/metrics: its certificate is not yet valid', true],
  ['CN=peer0 expired on 2026-01-01T00:00:00Z, 1 day ago', true],
  ['CN=peer0 is not valid before 2026-01-03T00:00:00Z', true],
  ['all 3 orderers refuse this peer, which gets no blocks: 127.0.0.1:7050: bad request (400)', true],
  ['GET https://127.0.0.1:9443/metrics: connection refused', false],
] as const)
  test(`${expected ? 'depends' : 'does not depend'} on the clock: ${reason}`, (t) => {
    t.is(dependsOnClock(reason), expected);
  });

for (const [reason, expected] of [
  ['the clock of this host is 3h behind the clock of peer0', true],
  ['GET https://127.0.0.1:9443/healthz: the clock of this host is wrong', false],
] as const)
  test(`${expected ? 'is only' : 'is not only'} a difference of clocks: ${reason}`, (t) => {
    t.is(isDifference(reason), expected);
  });

for (const [evidence, isDoubtful] of [
  [{}, false],
  [date(300_000), false],
  [date(300_001), true],
  [date(-300_001), true],
  [certificates(1), true],
  [certificates(0, 1), false],
  [certificates(0, 2), true],
] as const)
  test(`${isDoubtful ? 'evidence' : 'no evidence'} of a wrong clock, so that failures are checked again: ${JSON.stringify(evidence)}`, (t) => {
    const clock = new Clock(() => NOW);
    t.false(clock.isDoubtful);
    clock.of('right').record(certificates(0));
    clock.of('checker').record(evidence);
    t.is(clock.isDoubtful, isDoubtful);
  });

test('each record while the clock is wrong is announced, and the check fails then', (t) => {
  const clock = new Clock(() => NOW);
  let announced = 0;
  clock.watch(() => (announced += 1));
  clock.of('a').record(date(3 * HOUR));
  t.is(announced, 0);
  t.notThrows(() => clock.check());
  clock.of('b').record(date(3 * HOUR));
  t.is(announced, 1);
  t.throws(() => clock.check(), {
    message: 'the clock of this host is 3h behind (the difference to the clocks of 2 nodes shows it)',
  });
  clock.of('b').record(date(0));
  t.is(announced, 1);
  t.notThrows(() => clock.check());
});
