// Component names that the agent uses itself.

import test from 'ava';
import { reservedNameProblems } from '../../core/reserved-names.js';

const health = (name: string) => ({ name, kind: 'checker', origin: 'agent.yaml:1' });
const source = (name: string) => ({ name, kind: 'source', origin: 'agent.yaml:2' });

for (const [name, purpose] of [
  ['channels', 'the channels of all nodes'],
  ['channels/ch1', 'the channels of all nodes'],
  ['agent', 'the lag of the agent itself'],
  ['clock', 'the clock of this host'],
  ['silence', 'the silences of planned work'],
  ['agents', 'the agents of other hosts'],
  ['agents/host2', 'the agents of other hosts'],
  ['peer0/level', 'the logging specification of the node peer0'],
] as const)
  test(`a checker cannot have the name ${name}`, (t) => {
    t.deepEqual(reservedNameProblems([source('peer0'), health('peer0'), health(name)], ['peer0']), [
      `agent.yaml:1: a checker cannot have the name '${name}', which the agent uses for ${purpose}; set another name`,
    ]);
  });

for (const name of [
  'channel',
  'channelsx',
  'agent/a',
  'clocks',
  'silence/a',
  'agentsx',
  'peer1/level',
  'level',
])
  test(`a checker can have the name ${name}`, (t) => {
    t.deepEqual(reservedNameProblems([source('peer0'), health(name)], ['peer0']), []);
  });

test('a node with a reserved name is one problem, its checkers are none', (t) => {
  const plugins = [source('agent'), health('agent'), health('agent/disk'), health('clock')];
  t.deepEqual(reservedNameProblems(plugins, ['agent']), [
    "agent.yaml:2: a node cannot have the name 'agent', which the agent uses for the lag of the agent itself; set another name",
    "agent.yaml:1: a checker cannot have the name 'clock', which the agent uses for the clock of this host; set another name",
  ]);
});

test('plugins of other kinds can have any name', (t) => {
  t.deepEqual(reservedNameProblems([{ name: 'clock', kind: 'sink', origin: 'a' }], []), []);
});
