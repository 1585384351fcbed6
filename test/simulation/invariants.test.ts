// Each invariant finds what violates it, in histories that are made up.

import test from 'ava';
import type { AgentEvent } from '../../core/contract/index.js';
import { drawActions } from './actions.js';
import { violationsOf } from './invariants.js';
import { SimulatedReceiver } from './receiver.js';
import { drawSetup, PAGER, plainSetup, type NotifierSetup } from './setup.js';
import { SimulatedTime } from './time.js';
import { Truth } from './truth.js';
import type { History, Left, Sample } from './world.js';
import { createRandom } from '../fuzz/random.js';

/** When the stories begin and end, in milliseconds. */
const START = 600_000;
const END = 2_000_000;

/** A period: from and to in seconds after the start. */
type Period = readonly [subject: string, what: string, from: number, to: number, out?: readonly string[]];

/** An event that a receiver got: seconds after the start. */
type Told = readonly [
  host: string,
  at: number,
  state: AgentEvent['state'],
  component: string,
  reason?: string,
];

interface MadeUp {
  readonly truth: readonly Period[];
  readonly told?: readonly Told[];
  readonly notifier?: NotifierSetup;
  readonly samples?: readonly Sample[];
  readonly left?: readonly Left[];
}

/** The violations in a history of two hosts: invariant and subject. */
function found({ truth: periods, told = [], notifier = PAGER, samples = [], left = [] }: MadeUp): string[] {
  const plain = plainSetup(2, ['trade']);
  const setup = { ...plain, hosts: plain.hosts.map((host) => ({ ...host, notifiers: [notifier] })) };
  const truth = new Truth();
  for (const [subject, what, from, to, out] of periods) {
    truth.set(subject, START + from * 1000, what, out);
    truth.set(subject, START + to * 1000, undefined);
  }
  const time = new SimulatedTime();
  const receivers = setup.hosts.map(({ name }) => new SimulatedReceiver(name, notifier, time));
  for (const [host, at, state, component, reason = 'a reason'] of told)
    receivers
      .find((each) => each.host === host)!
      .delivered.push({
        at: START + at * 1000,
        event: {
          id: component,
          state,
          severity: state === 'failed' ? 'critical' : 'warning',
          component,
          reason,
          since: 0,
          fields: {},
        },
      });
  const history: History = {
    setup,
    actions: [],
    truth,
    receivers,
    samples,
    left,
    end: END,
    begun: new Map(),
  };
  return violationsOf(history).map(({ invariant, subject }) => `${invariant} ${subject}`);
}

const sample = (at: number, verdict: string, components: readonly string[] = []): Sample =>
  ({
    at: START + at * 1000,
    host: 'host1',
    channels: [{ name: 'trade', verdict }],
    problems: components.map((component) => ({ component, severity: 'critical' })),
  }) as unknown as Sample;

/** An agent was restarted after a slow restart of its peer, and has seen a fast one since. */
const RESTARTS: readonly Period[] = [
  ['peer1', 'stopped', -400, -370],
  ['agent host1', 'down', -300, -290],
  ['peer1', 'stopped', -200, -192],
  ['peer1', 'stopped', 0, 20],
];
/** Another consenter fails just when the first one comes back. */
const REPLACED: readonly Period[] = [
  ['channels/trade', 'at-risk', 0, 200, ['orderer1']],
  ['channels/trade', 'at-risk', 200, 400, ['orderer2']],
];
const [TOLD_AT_RISK, TOLD_END]: readonly Told[] = [
  ['host1', 20, 'warning', 'channels/trade', 'orderer1 orderer2'],
  ['host1', 405, 'recovered', 'channels/trade'],
];

/** Requests to an agent are lost until its process is starved or frozen. */
const silent = (what: 'frozen' | 'starved'): MadeUp => ({
  truth: [
    ['cut host1 host2', 'cut', 0, 300],
    ['starved host2', what, 200, 500],
  ],
  told: [
    ['host1', 70, 'warning', 'agents/host2'],
    ['host1', 310, 'recovered', 'agents/host2'],
  ],
});

const CASES: readonly (readonly [title: string, story: MadeUp, violations: readonly string[]])[] = [
  ['nothing happens', { truth: [] }, []],
  ['a node that is down is not told', { truth: [['peer1', 'killed', 0, 300]] }, ['1 peer1']],
  [
    'a node that is down is told, with its end',
    {
      truth: [['peer1', 'killed', 0, 300]],
      told: [
        ['host1', 20, 'failed', 'peer1'],
        ['host1', 310, 'recovered', 'peer1'],
      ],
    },
    [],
  ],
  [
    'a restart takes longer than twice the restarts that the agent has seen since its start',
    {
      truth: RESTARTS,
      told: [
        ['host1', 17, 'failed', 'peer1'],
        ['host1', 25, 'recovered', 'peer1'],
      ],
    },
    [],
  ],
  [
    'a restart is told that takes less than twice the restarts that the agent has seen',
    {
      truth: RESTARTS.filter(([subject]) => subject === 'peer1'),
      told: [
        ['host1', 17, 'failed', 'peer1'],
        ['host1', 25, 'recovered', 'peer1'],
      ],
    },
    ['3 peer1'],
  ],
  [
    'a channel works again for a moment, and another consenter fails in the same second',
    {
      truth: REPLACED,
      told: [
        TOLD_AT_RISK!,
        ['host1', 210, 'recovered', 'channels/trade'],
        ['host1', 230, 'warning', 'channels/trade', 'orderer2'],
        TOLD_END!,
      ],
      samples: [sample(215, 'working')],
    },
    [],
  ],
  [
    'a channel is judged to work long after another consenter failed',
    {
      truth: REPLACED,
      told: [
        TOLD_AT_RISK!,
        ['host1', 225, 'recovered', 'channels/trade'],
        ['host1', 250, 'warning', 'channels/trade', 'orderer2'],
        TOLD_END!,
      ],
      samples: [sample(235, 'working')],
    },
    ['2 channels/trade', '4 channels/trade'],
  ],
  ['a starved agent responds: its end is told', silent('starved'), []],
  ['a frozen agent does not respond, and its end is told', silent('frozen'), ['2 agents/host2']],
  ['a node that is down for a short time is not told', { truth: [['peer1', 'killed', 0, 80]] }, []],
  [
    'a node that is down is told after 120 s',
    {
      truth: [['peer1', 'killed', 0, 300]],
      told: [
        ['host1', 120, 'failed', 'peer1'],
        ['host1', 310, 'recovered', 'peer1'],
      ],
    },
    ['1 peer1'],
  ],
  [
    'a node that is down is told 60 s after the receiver, which had refused everything, accepts',
    {
      truth: [
        ['peer1', 'killed', 0, 300],
        ['receiver host1/pager', 'refuses', 0, 60],
      ],
      told: [
        ['host1', 120, 'failed', 'peer1'],
        ['host1', 310, 'recovered', 'peer1'],
      ],
    },
    [],
  ],
  [
    'a channel at risk is told to nobody',
    {
      truth: [
        ['orderer2', 'killed', 0, 300],
        ['channels/trade', 'at-risk', 0, 300, ['orderer2']],
      ],
    },
    ['1 orderer2', '1 channels/trade'],
  ],
  [
    'a channel at risk is told and names the node',
    {
      truth: [
        ['orderer2', 'killed', 0, 300],
        ['channels/trade', 'at-risk', 0, 300, ['orderer2']],
      ],
      told: [
        ['host1', 20, 'warning', 'channels/trade', 'orderer2 is down'],
        ['host1', 310, 'recovered', 'channels/trade'],
      ],
    },
    [],
  ],
  [
    'a channel at risk is told without the node',
    {
      truth: [
        ['orderer2', 'killed', 0, 300],
        ['channels/trade', 'at-risk', 0, 300, ['orderer2']],
      ],
      told: [
        ['host1', 20, 'warning', 'channels/trade', '1 of 2'],
        ['host1', 310, 'recovered', 'channels/trade'],
      ],
    },
    ['1 orderer2', '4 channels/trade'],
  ],
  [
    'an end is not told',
    { truth: [['peer1', 'killed', 0, 300]], told: [['host1', 20, 'failed', 'peer1']] },
    ['2 peer1'],
  ],
  [
    'an end is told while the node is down',
    {
      truth: [['peer1', 'killed', 0, 300]],
      told: [
        ['host1', 20, 'failed', 'peer1'],
        ['host1', 100, 'recovered', 'peer1'],
      ],
    },
    ['2 peer1'],
  ],
  [
    'a node that is up is told',
    {
      truth: [],
      told: [
        ['host1', 20, 'failed', 'peer1'],
        ['host1', 40, 'recovered', 'peer1'],
      ],
    },
    ['3 peer1'],
  ],
  [
    'a usual restart is told as a failure',
    {
      truth: [['peer1', 'stopped', 0, 15]],
      told: [
        ['host1', 12, 'failed', 'peer1'],
        ['host1', 40, 'recovered', 'peer1'],
      ],
    },
    ['3 peer1'],
  ],
  [
    'one restart is told twice',
    {
      truth: [['peer1', 'stopped', 0, 15]],
      told: [
        ['host1', 20, 'info', 'peer1', 'the process has restarted'],
        ['host1', 30, 'info', 'peer1', 'the process has restarted'],
      ],
    },
    ['3 peer1'],
  ],
  [
    'an agent is called unreachable after 20 s',
    {
      truth: [['agent host2', 'down', 0, 40]],
      told: [
        ['host1', 20, 'warning', 'agents/host2'],
        ['host1', 60, 'recovered', 'agents/host2'],
      ],
    },
    ['3 agents/host2'],
  ],
  [
    'a component that does not exist is told',
    { truth: [], told: [['host1', 20, 'failed', 'clock']] },
    ['3 clock'],
  ],
  [
    'a channel that has stopped is judged working',
    {
      truth: [['channels/trade', 'stopped', 0, 60]],
      samples: [sample(10, 'working'), sample(50, 'working')],
    },
    ['4 channels/trade'],
  ],
  [
    'a channel is judged working at the moment at which it works again',
    { truth: [['channels/trade', 'stopped', 0, 50]], samples: [sample(50, 'working')] },
    [],
  ],
  [
    'a channel is judged working 3 s after it stops for the second time',
    {
      truth: [
        ['channels/trade', 'stopped', 0, 30],
        ['channels/trade', 'stopped', 40, 60],
      ],
      samples: [sample(43, 'working')],
    },
    [],
  ],
  [
    'a channel that works is judged stopped',
    { truth: [], samples: [sample(50, 'stopped')] },
    ['4 channels/trade'],
  ],
  [
    'a channel without a leader for 45 s is told as stopped, and a consenter was frozen meanwhile',
    {
      truth: [
        ['channels/trade', 'electing', 0, 25],
        ['channels/trade', 'electing', 25, 28, ['orderer1']],
        ['channels/trade', 'electing', 28, 120],
      ],
      told: [
        ['host1', 45, 'failed', 'channels/trade', 'no leader'],
        ['host1', 130, 'recovered', 'channels/trade'],
      ],
    },
    [],
  ],
  [
    'one node is three events',
    {
      truth: [['peer1', 'killed', 0, 300]],
      told: ['peer1', 'peer1/disk', 'peer1/other'].flatMap((name): Told[] => [
        ['host1', 20, 'failed', name],
        ['host1', 310, 'recovered', name],
      ]),
    },
    ['5 peer1', '3 peer1/disk', '3 peer1/other', '2 peer1/disk'],
  ],
  [
    'an agent reports something for 6 minutes and nobody was told',
    {
      truth: [],
      samples: Array.from({ length: 25 }, (_, index) => sample(index * 15, 'working', ['peer1/disk'])),
    },
    ['6 peer1/disk'],
  ],
  [
    'a stopped agent reads a log',
    { truth: [], left: [{ at: START, host: 'host1', what: 'reads the log of peer1' }] },
    ['7 host1'],
  ],
  [
    'a notifier of critical failures gets no word of a channel at risk',
    { truth: [['channels/trade', 'at-risk', 0, 300]], notifier: { name: 'oncall', events: 'critical' } },
    [],
  ],
];

for (const [title, story, violations] of CASES)
  test(`${title}: ${violations.length === 0 ? 'no violation' : violations.join(', ')}`, (t) => {
    t.deepEqual(found(story), [...violations]);
  });

test('the same seed draws the same hosts and actions, another seed others', (t) => {
  const draw = (seed: number): object => {
    const random = createRandom(seed);
    const setup = drawSetup(random, 3, 2);
    return { setup, actions: drawActions(random, setup, 3) };
  };
  t.deepEqual(draw(1), draw(1));
  t.notDeepEqual(draw(1), draw(2));
});
