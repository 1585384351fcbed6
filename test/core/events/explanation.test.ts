// Which failure explains another one.

import test from 'ava';
import type { Severity } from '../../../core/contract/errors.js';
import { channelIn, explanationOf, isExplainable } from '../../../core/events/explanation.js';
import type { Consenter } from '../../../core/fabric/channel.js';

const NODES = ['o1', 'o2', 'peer0', 'o1/a'];
const DOWN: Consenter = { name: 'o1', state: 'down', outage: 'is down' };
const NO_LEADER: Consenter = { name: 'o1', state: 'electing' };

interface Given {
  readonly component: string;
  readonly severity?: Severity;
  readonly follows?: string;
  /** The failures that are known. */
  readonly failing: Readonly<Record<string, Severity>>;
  readonly inactive?: readonly Consenter[];
  readonly isNamed?: boolean;
}

const CASES: readonly (readonly [what: string, given: Given, explanation: string | undefined])[] = [
  ['a failure of nothing else', { component: 'o1/disk', failing: { o1: 'critical' } }, undefined],
  [
    'a failure that follows a node that is down',
    { component: 'o1/disk', follows: 'o1', failing: { o1: 'critical' } },
    'o1 critical',
  ],
  [
    'a failure that follows a node that works',
    { component: 'o1/disk', follows: 'o1', failing: {} },
    undefined,
  ],
  [
    'a node that does not participate and is named by a channel at risk',
    { component: 'o1', failing: { 'channels/ch1': 'warning' }, inactive: [DOWN], isNamed: true },
    'channels/ch1 warning',
  ],
  [
    'a checker with the name of a consenter that another agent monitors',
    {
      component: 'o9',
      failing: { 'channels/ch1': 'warning' },
      inactive: [{ ...DOWN, name: 'o9' }],
      isNamed: true,
    },
    undefined,
  ],
  [
    'a node that is not named',
    { component: 'o1', failing: { 'channels/ch1': 'warning' }, inactive: [DOWN] },
    undefined,
  ],
  [
    'a named node that participates but knows no leader',
    { component: 'o1', failing: { 'channels/ch1': 'warning' }, inactive: [NO_LEADER], isNamed: true },
    undefined,
  ],
  [
    'a failure that follows a node named by a channel: the critical one counts',
    {
      component: 'o1/disk',
      follows: 'o1',
      failing: { o1: 'warning', 'channels/ch1': 'critical' },
      inactive: [DOWN],
      isNamed: true,
    },
    'channels/ch1 critical',
  ],
  [
    'a failure of a node in a stopped channel',
    { component: 'peer0/height/ch1', failing: { 'channels/ch1': 'critical' } },
    'channels/ch1 critical',
  ],
  [
    'a failure of a node in a channel at risk in which it is active',
    { component: 'o2/consensus/ch1', failing: { 'channels/ch1': 'warning' }, inactive: [DOWN] },
    undefined,
  ],
  [
    'a failure of a node in a channel at risk in which it is inactive',
    { component: 'o1/consensus/ch1', failing: { 'channels/ch1': 'warning' }, inactive: [DOWN] },
    'channels/ch1 warning',
  ],
  [
    'a failure of an active node whose name begins with that of an inactive one',
    { component: 'o1/a/consensus/ch1', failing: { 'channels/ch1': 'warning' }, inactive: [DOWN] },
    undefined,
  ],
  [
    'a failure of an inactive node whose name begins with that of an active one',
    {
      component: 'o1/a/consensus/ch1',
      failing: { 'channels/ch1': 'warning' },
      inactive: [{ ...DOWN, name: 'o1/a' }],
    },
    'channels/ch1 warning',
  ],
  [
    'a failure of an inactive node that is down, in a channel at risk',
    {
      component: 'o1/consensus/ch1',
      failing: { 'channels/ch1': 'warning', o1: 'critical' },
      inactive: [DOWN],
    },
    'o1 critical',
  ],
  [
    'a warning that follows a channel at risk',
    {
      component: 'peer0/orderer-link/ch1',
      severity: 'warning',
      follows: 'channels/ch1',
      failing: { 'channels/ch1': 'warning' },
      inactive: [DOWN],
    },
    'channels/ch1 warning',
  ],
  [
    'a warning that follows a channel with a failed consenter',
    {
      component: 'peer0/orderer-link/ch1',
      severity: 'warning',
      follows: 'channels/ch1',
      failing: { o1: 'warning' },
      inactive: [DOWN],
    },
    'o1 warning',
  ],
  [
    'a warning that follows a channel without inactive consenters',
    {
      component: 'peer0/orderer-link/ch1',
      severity: 'warning',
      follows: 'channels/ch1',
      failing: { 'channels/ch1': 'warning' },
    },
    undefined,
  ],
  [
    'a critical failure that follows a channel at risk',
    {
      component: 'peer0/orderer-link/ch1',
      follows: 'channels/ch1',
      failing: { 'channels/ch1': 'warning' },
      inactive: [DOWN],
    },
    undefined,
  ],
];
for (const [what, given, explanation] of CASES)
  test(`${what} is explained by ${explanation ?? 'nothing'}`, (t) => {
    const { component, severity = 'critical', follows, failing, inactive = [], isNamed = false } = given;
    const found = explanationOf(
      { component, severity, follows },
      {
        severityOf: (name) => failing[name],
        nodes: NODES,
        checks: [],
        channels: new Map([['ch1', inactive]]),
        isNamed: () => isNamed,
      },
    );
    t.is(found && `${found.component} ${found.severity}`, explanation);
  });

for (const [component, follows, channel] of [
  ['o1/consensus/ch1', undefined, 'ch1'],
  ['o1/consensus/ch2', undefined, undefined],
  ['ch1', undefined, undefined],
  ['channels/ch1', undefined, undefined],
  ['o1/consensus', 'channels/ch2', 'ch2'],
  ['o1/consensus/ch1', 'o1', 'ch1'],
] as const)
  test(`the failure of ${component} that follows ${follows ?? 'nothing'} is about ${channel === undefined ? 'no channel' : `the channel ${channel}`}`, (t) => {
    const known = { channels: new Map([['ch1', []]]), nodes: NODES, checks: [] };
    t.is(channelIn({ component, follows }, known), channel);
    const all = { ...known, severityOf: () => undefined, isNamed: () => false };
    t.is(
      isExplainable({ component, severity: 'warning', follows }, all),
      follows !== undefined || channel !== undefined,
    );
  });

for (const [component, checks, channel] of [
  ['peer0/disk', ['peer0/disk'], undefined],
  ['peer0/disk', [], undefined],
  ['peer0/channel-config/ledger/ledger', ['peer0/channel-config'], undefined],
  ['peer0/data/disk', ['peer0/data/disk'], undefined],
  ['peer0/data/disk', ['peer0/data'], 'disk'],
  ['peer0/height/disk', ['peer0/disk', 'peer0/height'], 'disk'],
  ['disk', ['disk'], undefined],
  ['own/disk', ['own'], 'disk'],
  ['channels/disk', ['channels'], undefined],
] as const)
  test(`with the channels disk and ledger and the checks ${checks.join(', ') || 'unknown'} the failure of ${component} is about ${channel === undefined ? 'no channel' : 'the channel disk'}`, (t) => {
    const channels = new Map([
      ['disk', []],
      ['ledger', []],
    ]);
    t.is(channelIn({ component, follows: undefined }, { channels, nodes: NODES, checks }), channel);
  });
