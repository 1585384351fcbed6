import test from 'ava';
import { highestOf, Judge, lagOf, type LinkReport } from '../../../../plugins/health/orderer-link/judge.js';

const link = (height: bigint, highest: bigint): LinkReport => ({
  channel: 'ch1',
  height,
  responses: [{ address: 'o:1', consenter: undefined, state: 'alive', height: highest }],
  problem: undefined,
});

/** The severities after each of some times, in seconds. */
const severitiesAt = (times: readonly (readonly [seconds: number, found: LinkReport])[]): unknown[] => {
  const judge = new Judge({ isReader: false, hasVerdict: true, maxLag: 10, lagTimeout: 60_000 });
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

test('a ledger that grows and is ten blocks behind is healthy, with eleven it is a warning', (t) => {
  for (const [lag, severity] of [
    [10n, undefined],
    [11n, 'warning'],
  ] as const)
    t.deepEqual(
      severitiesAt([
        [0, link(1n, 1n + lag)],
        [200, link(2n, 2n + lag)],
      ]),
      [undefined, severity],
    );
});

test('a ledger with all blocks of the orderers is healthy, however long it does not grow', (t) => {
  t.deepEqual(
    severitiesAt([
      [0, link(3n, 3n)],
      [1_000, link(3n, 3n)],
    ]),
    [undefined, undefined],
  );
});

test('a ledger that is ahead of the orderers is not behind', (t) => {
  t.is(lagOf(link(5n, 3n)), 0);
  t.is(lagOf(link(3n, 5n)), 2);
  t.is(lagOf({ ...link(3n, 5n), height: undefined }), undefined);
  t.is(lagOf({ ...link(3n, 5n), responses: [] }), undefined);
});

test('the highest orderer counts, whatever the order of the responses', (t) => {
  const responses = [3n, 9n, 7n].map((height) => link(1n, height).responses[0]!);
  t.is(highestOf({ responses }), 9n);
  t.is(highestOf({ responses: [] }), undefined);
});

const LINE = 'WARN [peer.blocksprovider] -> Could not connect to ordering service: x channel=ch1';
for (const [count, isSaid] of [
  [9, true],
  [10, false],
] as const)
  test(`a log line with ${count} newer lines ${isSaid ? 'explains' : 'does not explain'} why a ledger does not grow`, (t) => {
    const judge = new Judge({ isReader: false, hasVerdict: true, maxLag: 10, lagTimeout: 0 });
    const [failure] = judge.failuresOf([link(1n, 2n)], 0, [LINE, ...Array<string>(count).fill('WARN other')]);
    t.is(failure?.reason.includes('the log of the peer has: Could not connect'), isSaid);
  });

const failed = (isRefused: boolean, replaces?: string): LinkReport['responses'][number] => ({
  address: 'o:1',
  consenter: undefined,
  state: isRefused ? 'alive' : 'silent',
  isRefused,
  reason: 'why',
  replaces,
});
const alive = link(1n, 1n).responses[0]!;

const forbidden: LinkReport['responses'][number] = { ...failed(true), status: 403 };
for (const [what, hasVerdict, responses, expected] of [
  ['four refusals with 403', true, [forbidden, forbidden, forbidden, forbidden], []],
  [
    'a refusal with 403 and no verdict about the channel',
    false,
    [forbidden],
    ['warning: the channel is in maintenance, in which orderers refuse peers'],
  ],
  [
    'a refusal with 403 and no response',
    true,
    [forbidden, failed(false)],
    [
      'warning: 1 of 2 orderers do not serve this peer: o:1: why; the channel is in maintenance, in which orderers refuse peers',
    ],
  ],
  [
    'a refusal with another status',
    true,
    [{ ...failed(true), status: 404 }],
    ['critical: the only orderer refuses this peer, which gets no blocks: o:1: why'],
  ],
  [
    'a ledger that is behind, as a reader is served',
    true,
    link(1n, 3n).responses,
    [
      'warning: the ledger does not grow and is 2 blocks behind: it has 1 blocks, the orderers have 3; the channel is in maintenance, in which orderers send peers no blocks',
    ],
  ],
] as const)
  test(`a peer in maintenance with ${what}: ${expected[0] ?? 'no failure'}`, (t) => {
    const judge = new Judge({ isReader: false, hasVerdict, maxLag: 10, lagTimeout: 0 });
    const found = judge.failuresOf(
      [{ channel: 'ch1', height: 1n, responses, problem: undefined }],
      0,
      [],
      () => true,
    );
    t.deepEqual(
      found.map(({ severity, reason }) => `${severity}: ${reason}`),
      expected,
    );
  });

for (const [what, isReader, responses, problem, expected] of [
  [
    'no orderer in the config',
    false,
    [],
    undefined,
    'warning the newest config of the channel names no orderer',
  ],
  ['no orderers and a problem', false, [], 'it is empty', 'warning it is empty'],
  [
    'a problem with the ledger',
    false,
    [alive],
    'it is damaged',
    'warning the ledger cannot be read: it is damaged',
  ],
  [
    'a refusal and no response',
    false,
    [failed(true), failed(false)],
    undefined,
    'critical late follows none of 2 orderers serves this peer, which gets no blocks: o:1: why; o:1: why',
  ],
  [
    'a refusal of a reader and no response',
    true,
    [failed(true), failed(false)],
    undefined,
    'critical late follows none of 2 orderers serves this peer, which gets no blocks: o:1: why; o:1: why',
  ],
  [
    'two refusals of a reader',
    true,
    [failed(true), failed(true)],
    undefined,
    'warning follows all 2 orderers refuse the identity of options.certificate, so it is unknown whether they serve the peer: o:1: why; o:1: why',
  ],
  [
    'an orderer of an override that does not respond, of two that fail',
    false,
    [failed(false, 'a:1'), failed(false), alive],
    undefined,
    'warning late 1 of 3 orderers serve this peer: o:1, which addressOverrides uses instead of a:1: why; o:1: why',
  ],
] as const satisfies readonly (readonly [
  string,
  boolean,
  LinkReport['responses'],
  string | undefined,
  string,
])[])
  test(`a peer with ${what}: ${expected}`, (t) => {
    const judge = new Judge({ isReader, hasVerdict: true, maxLag: 10, lagTimeout: 1000 });
    const found = judge.failuresOf([{ channel: 'ch1', height: 1n, responses, problem }], 0);
    t.deepEqual(
      found.map(({ severity, isLate, follows, reason }) =>
        [
          severity,
          ...(isLate === true ? ['late'] : []),
          ...(follows === 'channels/ch1' ? ['follows'] : []),
          reason,
        ].join(' '),
      ),
      [expected],
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

test('the verdict of the channel does not explain a ledger that does not grow, even if an orderer does not respond', (t) => {
  const judge = new Judge({ isReader: false, hasVerdict: true, maxLag: 10, lagTimeout: 0 });
  const responses = [{ ...alive, height: 2n }, failed(false)];
  const [found] = judge.failuresOf([{ channel: 'ch1', height: 1n, responses, problem: undefined }], 0);
  t.is(
    found!.reason,
    '1 of 2 orderers serve this peer: o:1: why; the ledger does not grow and is 1 blocks behind: it has 1 blocks, the orderers have 2',
  );
  t.is(found!.follows, undefined);
});
