import test from 'ava';
import { listedSilences } from '../../config/silences.js';

const NOW = Date.UTC(2026, 10, 27);
const UNTIL = '2026-11-27T06:00:00Z';

const listed = (value: unknown): ReturnType<typeof listedSilences> =>
  listedSilences({ value, origin: 'agent.yaml', entryOrigins: ['agent.yaml:4'], directory: '/' }, NOW);

test('a silence has an optional node and channel, an end and a reason', (t) => {
  t.deepEqual(listed([{ node: 'peer0', channel: null, until: UNTIL, why: 'upgrade' }]), {
    silences: [
      {
        node: 'peer0',
        channel: undefined,
        until: Date.parse(UNTIL),
        why: 'upgrade',
        origin: 'agent.yaml:4: silences[0]',
      },
    ],
    problems: [],
    warnings: [],
  });
});

test('a silence whose time is over is a warning', (t) => {
  t.deepEqual(listed([{ until: '2026-11-01T00:00:00+01:00', why: 'x' }]), {
    silences: [],
    problems: [],
    warnings: ['agent.yaml:4: silences[0]: has ended at 2026-10-31T23:00:00.000Z; remove it'],
  });
});

for (const [what, until, isOver] of [
  ['in a millisecond', NOW + 1, false],
  ['now', NOW, true],
] as const)
  test(`a silence that ends ${what} is ${isOver ? 'over' : 'in effect'}`, (t) => {
    const { silences, warnings } = listed([{ until: new Date(until).toISOString(), why: 'x' }]);
    t.deepEqual([silences.length, warnings.length], isOver ? [0, 1] : [1, 0]);
  });

for (const [entry, problem] of [
  [{ until: UNTIL }, 'why: is required: the reason for the silence'],
  [{ why: 'x' }, 'until: is required: the end of the silence, a time such as 2026-11-27T06:00:00Z'],
  [{ why: 'x', until: '30m' }, 'until: must be a time such as 2026-11-27T06:00:00Z: value was "30m"'],
  [
    { why: 'x', until: '2026-11-27' },
    'until: must be a time such as 2026-11-27T06:00:00Z: value was "2026-11-27"',
  ],
  [
    { why: 'x', until: '2026-13-01T00:00:00Z' },
    'until: must be a time such as 2026-11-27T06:00:00Z: value was "2026-13-01T00:00:00Z"',
  ],
  [
    { why: 'x', until: '2026-02-30T00:00:00Z' },
    'until: must be a time such as 2026-11-27T06:00:00Z: value was "2026-02-30T00:00:00Z"',
  ],
  [
    { why: 'x', until: '2026-11-27T06:00:00' },
    'until: must be a time such as 2026-11-27T06:00:00Z: value was "2026-11-27T06:00:00"',
  ],
  [{ why: 'x', until: 7 }, 'until: must be a time such as 2026-11-27T06:00:00Z: value was 7'],
  [{ why: 'x', until: UNTIL, channel: '' }, 'channel: must be a string that is not empty: value was ""'],
  [{ why: ' ', until: UNTIL }, 'why: must be a string that is not empty: value was " "'],
  [{ why: 'x', until: UNTIL, nod: 'a' }, 'nod: unknown key; did you mean node?'],
  [{ why: 'x', until: UNTIL, node: 7 }, 'node: must be a string that is not empty: value was 7'],
] as const)
  test(`the silence ${JSON.stringify(entry)} is refused`, (t) => {
    t.deepEqual(listed([entry]).problems, [`agent.yaml:4: silences[0]: ${problem}`]);
  });

test('an entry without a line of its own has the origin of the list', (t) => {
  const missing = 'why: is required: the reason for the silence';
  t.deepEqual(listed([{ until: UNTIL }, { until: UNTIL }]).problems, [
    `agent.yaml:4: silences[0]: ${missing}`,
    `agent.yaml: silences[1]: ${missing}`,
  ]);
});

test('a silence that is no mapping is refused', (t) => {
  t.deepEqual(listed(['peer0']).problems, [
    `agent.yaml:4: silences[0]: must be a mapping such as {node: peer0, until: '2026-11-27T06:00:00Z', why: upgrade}: value was "peer0"`,
  ]);
});
