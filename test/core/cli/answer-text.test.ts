// The first lines of `status`, for the recorded states of the page.

import test from 'ava';
import { answerText } from '../../../core/cli/answer-text.js';
import { answersOf } from '../../../core/status/answer/index.js';
import { readStatus } from '../../../core/status/read.js';
import { pageState, STATES } from '../../helpers/page-states.js';

for (const name of STATES)
  test(`status begins with the sentence, the meaning and the steps of the page: ${name}`, (t) => {
    const { document, now } = pageState(name);
    const { first } = answersOf(document, { now, zone: 'UTC' });
    const lines = answerText(document, now).trimEnd().split('\n');
    const age = / \(for \d+ (?:s|min)\)$/;
    t.deepEqual(
      [lines[0]!.replace(age, ''), ...(first.meaning === '' ? [] : [lines[1]])],
      [first.sentence, ...(first.meaning === '' ? [] : [first.meaning])],
    );
    for (const { text, command, clues = [] } of first.steps)
      for (const each of [text, command ?? '', ...clues.map((clue) => `${clue.node} ${clue.text}`)])
        t.true(
          lines.some((line) => line.includes(each)),
          each,
        );
  });

for (const [name, expected] of [
  [
    'no-node',
    `This agent monitors no node yet
With a node, the agent reports whether its channels work, and what to do if not.
Start the agent again with the file of a peer (core.yaml) or an orderer (orderer.yaml):
fabric-ops-agent start --node /etc/hyperledger/fabric/core.yaml
Or for several nodes
fabric-ops-agent start --node /etc/hyperledger/fabric/core.yaml --node /etc/hyperledger/fabric/orderer.yaml
`,
  ],
  [
    'healthy',
    `ch1 works
3 of 3 orderers, any one may fail; newest block just now; peers up to date.
`,
  ],
  [
    'quorum-lost',
    `ch1 has stopped: orderer2 and orderer3 are down (for 40 s)
No transaction is accepted. Peers still answer queries.
1. Start orderer2 or orderer3: one of them is enough.
   orderer2 refuses connections · no panic logged
   orderer3 refuses connections · no panic logged
2. If neither starts … see FabricChannelStopped in the runbook
`,
  ],
  [
    'starved',
    `The agent was late by 12 s in the last minute
Its host gave it too little CPU, or its disk did not respond. ch1 worked at the last check.
Check the load of the host:
uptime
`,
  ],
] as const)
  test(`the first lines of status: ${name}`, (t) => {
    const { document, now } = pageState(name);
    t.is(answerText(document, now), expected);
  });

test('an alternative to a step has no number', (t) => {
  const { document, now } = pageState('no-node');
  const plugins = [{ name: 'a', kind: 'checker', state: 'starting' }];
  t.is(
    answerText({ ...document, plugins }, now)
      .split('\n')
      .slice(2)
      .join('\n'),
    `1. Start the agent again with the file of a peer (core.yaml) or an orderer (orderer.yaml):
   fabric-ops-agent start --node /etc/hyperledger/fabric/core.yaml
   Or for several nodes
   fabric-ops-agent start --node /etc/hyperledger/fabric/core.yaml --node /etc/hyperledger/fabric/orderer.yaml
2. 1 plugin has not started yet
`,
  );
});

test('other causes are one line each, and the rest is counted', (t) => {
  const { document, now } = pageState('quorum-lost');
  const disks = Array.from({ length: 5 }, (_, index) => ({
    component: `disk${index}\u001b[31m`,
    kind: 'disk',
    state: 'warning',
    reason: `${index} % free`,
  }));
  const many = readStatus(JSON.stringify({ ...document, problems: [...document.problems, ...disks] }));
  t.deepEqual(answerText(many, now).trimEnd().split('\n').slice(-4), [
    String.raw`Also: The check disk0\u001b[31m reports a warning`,
    String.raw`Also: The check disk1\u001b[31m reports a warning`,
    String.raw`Also: The check disk2\u001b[31m reports a warning`,
    '2 more causes',
  ]);
});

test('on a terminal the lines are wrapped', (t) => {
  const { document, now } = pageState('quorum-lost');
  t.true(
    answerText(document, now, 40)
      .split('\n')
      .every((line) => line.length <= 40),
  );
});
