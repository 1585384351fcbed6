// What the answer takes from the agents of other hosts.

import test from 'ava';
import { answersOf } from '../../../../core/status/answer/index.js';
import type { OtherAgentStatus, StatusDocument } from '../../../../core/status/document.js';
import { pageState, type StateName } from '../../../helpers/page-states.js';

const HOST: OtherAgentStatus = {
  name: 'host2',
  url: 'https://host2:9543',
  since: '2026-11-26T15:00:00Z',
  reachable: true,
  healthy: true,
  nodes: [{ name: 'peer9', kind: 'peer', state: 'up' }],
  channels: [{ name: 'trade', verdict: 'working' }],
};
const STOPPED = { channels: [{ name: 'trade', verdict: 'stopped' }] };
const NODE_DOWN = (name: string): Partial<OtherAgentStatus> => ({
  nodes: [{ name, kind: 'peer', state: 'down' }],
  healthy: false,
});

/** The sentences of the answers about a recorded state with other hosts. */
function sentencesOf(name: StateName, ...hosts: readonly Partial<OtherAgentStatus>[]): readonly string[] {
  const { document, now } = pageState(name);
  const agents = hosts.map((changes) => ({ ...HOST, ...changes }));
  const { first, others } = answersOf({ ...document, agents }, { now });
  return [first, ...others].map(({ state, sentence }) => `${state}: ${sentence}`);
}

const QUORUM_LOST = 'stopped: ch1 has stopped: orderer2 and orderer3 are down';
const AT_RISK = 'risk: ch1 works, but one more failure stops it';

for (const [what, name, hosts, expected] of [
  ['a host without a fault', 'healthy', [{}], ['works: ch1 works']],
  ['a channel that has stopped elsewhere', 'healthy', [STOPPED], ['stopped: trade has stopped on host2']],
  [
    'a channel that has stopped elsewhere, and a risk here',
    'orderer-killed',
    [STOPPED],
    ['stopped: trade has stopped on host2', AT_RISK],
  ],
  [
    'a channel that has stopped here, and another one elsewhere',
    'quorum-lost',
    [STOPPED],
    [QUORUM_LOST, 'stopped: trade has stopped on host2'],
  ],
  [
    'a node that is down elsewhere, and a risk here',
    'orderer-killed',
    [NODE_DOWN('peer9')],
    [AT_RISK, 'risk: peer9 is down on host2'],
  ],
  ['a consenter that the verdict names', 'orderer-killed', [NODE_DOWN('orderer3')], [AT_RISK]],
  [
    'the same verdict on two hosts',
    'quorum-lost',
    [{ channels: [{ name: 'ch1', verdict: 'stopped' }], healthy: false }],
    [QUORUM_LOST],
  ],
  [
    'a channel that has stopped for another host only',
    'healthy',
    [{ channels: [{ name: 'ch1', verdict: 'stopped' }] }],
    ['stopped: ch1 has stopped on host2'],
  ],
  [
    'a channel that is at risk for another host only: the verdict of this agent is over all hosts',
    'healthy',
    [{ channels: [{ name: 'ch1', verdict: 'at-risk' }] }],
    ['works: ch1 works'],
  ],
  ['a failed check elsewhere', 'healthy', [{ healthy: false }], ['risk: A check on host2 fails']],
  [
    'a host that is not reachable',
    'healthy',
    [{ reachable: false, nodes: [], channels: [] }],
    ['works: ch1 works'],
  ],
  [
    'an agent without nodes beside a host that has stopped',
    'no-node',
    [STOPPED],
    ['stopped: trade has stopped on host2'],
  ],
] as const)
  test(`the answers with ${what}`, (t) => {
    const found = sentencesOf(name, ...hosts);
    // A host without a Docker engine has its warning behind them.
    t.deepEqual(
      found.filter((each) => !each.includes('docker')),
      [...expected],
    );
  });

test('the answer about a host names its other faults, and the address of its page', (t) => {
  const { document, now } = pageState('healthy');
  const agents = [{ ...HOST, ...NODE_DOWN('peer9'), ...STOPPED }];
  const changed: StatusDocument = { ...document, agents };
  t.like(answersOf(changed, { now }).first, {
    meaning: 'Also there: peer9 is down.',
    steps: [{ text: 'Open the page of host2:', command: 'https://host2:9543' }],
    host: 'host2',
  });
});
