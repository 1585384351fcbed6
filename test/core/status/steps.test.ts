// The next steps for a node that is down and for a channel.

import test from 'ava';
import type { ChannelStatus } from '../../../core/status/document.js';
import { stepsFor, type StepContext } from '../../../core/status/steps.js';

const SETTINGS: StepContext['settingsOf'] = (node) => {
  if (node === 'unknown') return undefined;
  if (node === 'file') return { log: { file: '/log' } };
  if (node === 'docker' || node === 'podman')
    return { log: { file: '/log' }, container: { name: `${node} 1`, engine: node } };
  return { log: { unit: `${node}.service` } };
};

const channel = (needed: number | undefined, states: Readonly<Record<string, string>>): ChannelStatus => ({
  name: 'ch1',
  blocks: [],
  past: [],
  nodes: [],
  needed,
  consenters: Object.entries(states).map(([name, state]) => ({
    name,
    state,
    leader: false,
    ...(!name.includes(':') && { node: name }),
  })),
});

/** A node whose log ends with a panic about a full file system. */
const FULL = [
  {
    name: 'full',
    log: { source: 'log', lines: [], cause: 'panic: failed to write: no space left on device' },
  },
];

const steps = (kind: string, node: string, channels: readonly ChannelStatus[] = []): readonly string[] =>
  stepsFor(
    {
      component: kind === 'channel' ? 'channels/ch1' : node,
      ...(kind !== 'channel' && { node }),
      kind,
      state: 'failed',
      severity: 'critical',
      reason: '',
      since: '',
    },
    { channels, nodes: FULL, settingsOf: SETTINGS },
  ).map(({ text, command }) => (command === undefined ? text : `${text} [${command}]`));

const NODES: readonly (readonly [kind: string, node: string, steps: readonly string[]])[] = [
  ['down', 'peer0', ['Start peer0. [systemctl start peer0.service]']],
  ['down', 'file', ['Start file.']],
  ['down', 'docker', ["Start docker. [docker start 'docker 1']"]],
  [
    'silent',
    'podman',
    [
      "Check whether the process of podman is frozen, or its host is overloaded. [podman ps --all --filter name='podman 1']",
      "If it is frozen, restart podman; if the host is overloaded, find what uses its CPU. [podman restart 'podman 1']",
    ],
  ],
  [
    'down',
    'full',
    [
      'Free space on the file system of full: the log ends with “no space left on device”. [df -h]',
      'Start full. [systemctl start full.service]',
    ],
  ],
  [
    'silent',
    'peer0',
    [
      'Check whether the process of peer0 is frozen, or its host is overloaded. [systemctl status peer0.service]',
      'If it is frozen, restart peer0; if the host is overloaded, find what uses its CPU. [systemctl restart peer0.service]',
    ],
  ],
  ['unreadable', 'peer0', []],
  ['other', 'peer0', []],
];
for (const [kind, node, expected] of NODES)
  test(`the node ${node} in the state ${kind} has ${expected.length} steps`, (t) => {
    t.deepEqual(steps(kind, node), expected);
  });

test('a node whose configuration was changed is read again first', (t) => {
  t.deepEqual(steps('changed', 'a'), [
    'The configuration of a was changed after the agent started: restart the agent. [systemctl restart fabric-ops-agent]',
    'If a does not run, start it. [systemctl start a.service]',
  ]);
});

const CHANNELS: readonly (readonly [
  needed: number | undefined,
  states: Readonly<Record<string, string>>,
  step: string | undefined,
])[] = [
  [
    2,
    { a: 'active', b: 'down', c: 'down' },
    'Start b or c: one of them is enough. [systemctl start b.service]',
  ],
  [
    2,
    { a: 'down', b: 'down', c: 'down' },
    'Start a, b or c: 2 of them are enough. [systemctl start a.service]',
  ],
  [2, { a: 'active', b: 'active', c: 'down' }, 'Start c. [systemctl start c.service]'],
  [
    3,
    { a: 'active', b: 'electing', c: 'silent', d: 'active' },
    'Start or restart c. [systemctl restart c.service]',
  ],
  [2, { a: 'active', 'b:7050': 'silent', unknown: 'unknown' }, 'Start or restart b:7050.'],
  [undefined, { a: 'active', file: 'down' }, 'Start file.'],
  [2, { a: 'down', b: 'down' }, 'Start a and b. [systemctl start a.service]'],
  [2, { a: 'electing', b: 'electing' }, undefined],
];
for (const [needed, states, step] of CHANNELS)
  test(`a channel that needs ${needed} of ${JSON.stringify(states)}: ${step ?? 'no step'}`, (t) => {
    t.deepEqual(steps('channel', '', [channel(needed, states)]), step === undefined ? [] : [step]);
  });

const OTHER_KEY = 'only follows the channel, because its certificate has another key';
/** The channel of three consenters of which some have another key. */
const withOtherKeys = (
  states: Readonly<Record<string, string>>,
  ...names: readonly string[]
): ChannelStatus => {
  const { consenters, ...rest } = channel(2, states);
  return {
    ...rest,
    consenters: consenters.map((each) => (names.includes(each.name) ? { ...each, outage: OTHER_KEY } : each)),
  };
};
/** The channel of three consenters of which some do not have it. */
const without = (states: Readonly<Record<string, string>>, ...names: readonly string[]): ChannelStatus => {
  const { consenters, ...rest } = withOtherKeys(states);
  const outage = 'does not have the channel';
  return {
    ...rest,
    consenters: consenters.map((each) => (names.includes(each.name) ? { ...each, outage } : each)),
  };
};
const MIGRATE =
  'Find the next step of the migration with `configtxlator migrate status`; the last one ends the maintenance.';
const ROTATE = [
  'When the channel works again, change its config with configtxlator consenter rotate and the new certificate, and wait for its block.',
  'Only then use the new certificate and key, and restart.',
];

for (const [what, found, expected] of [
  [
    'one consenter with another key gets the old one back before the channel is changed',
    withOtherKeys({ a: 'active', b: 'active', c: 'absent' }, 'c'),
    [
      'Put back the certificate and the key that c had (TLS with Raft, the signing identity with BFT), and restart it.',
      ...ROTATE,
    ],
  ],
  [
    'a consenter that is down is started, and those with another key get the old one back',
    withOtherKeys({ a: 'down', b: 'absent', c: 'absent' }, 'b', 'c'),
    [
      'Start a. [systemctl start a.service]',
      'Put back the certificate and the key that b and c had (TLS with Raft, the signing identity with BFT), and restart them.',
      ...ROTATE,
    ],
  ],
  [
    'a consenter whose file system is full needs space first',
    channel(2, { a: 'active', full: 'down' }),
    [
      'Free space on the file system of full: the log ends with “no space left on device”. [df -h]',
      'Start full. [systemctl start full.service]',
    ],
  ],
  [
    'a consenter that runs without the channel joins it again and is not started',
    without({ a: 'active', b: 'active', c: 'absent' }, 'c'),
    [
      'Let c join ch1 again, with its newest config block and osnadmin channel join. If the removal was meant: remove this orderer from the consenters with configtxlator consenter remove, or, if the channel has ended, unjoin its peers with peer node unjoin.',
    ],
  ],
  [
    'a channel in maintenance has the step of its migration',
    { ...channel(2, { a: 'active', b: 'active' }), verdict: 'maintenance' },
    [MIGRATE],
  ],
  [
    'a channel in maintenance with a consenter that is down starts it first',
    { ...channel(2, { a: 'active', b: 'down' }), verdict: 'maintenance' },
    ['Start b. [systemctl start b.service]', MIGRATE],
  ],
] as const)
  test(what, (t) => {
    t.deepEqual(steps('channel', '', [found]), [...expected]);
  });

test('a channel that is not listed has no steps', (t) => {
  t.deepEqual(steps('channel', ''), []);
});
