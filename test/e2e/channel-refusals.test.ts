// Changes that the orderers refuse: `review` says so before they are submitted, with the same text.

import test from 'ava';
import { fetchBlock, review, submitRefused, translate } from './fabric/channel-edits.js';
import { startNetwork } from './fabric/network.js';
import { CHANNEL } from './fabric/network-files.js';

/** Who signs and submits. */
type Signer = 'orderer' | 'org1';

/** The commands of each change, and a part of the orderer's text. */
const REFUSED: readonly (readonly [
  what: string,
  signer: Signer,
  commands: readonly (readonly string[])[],
  text: string,
])[] = [
  [
    'a batch of 0 messages',
    'orderer',
    [['edit', '--set', 'orderer.batchSize.maxMessageCount=0']],
    'Attempted to set the batch size max message count to an invalid value: 0',
  ],
  [
    'preferred bytes above the absolute maximum',
    'orderer',
    [['edit', '--set', 'orderer.batchSize.preferredMaxBytes=999999999']],
    'greater than the absolute max bytes',
  ],
  [
    'a batch timeout without a unit',
    'orderer',
    [['edit', '--set', 'orderer.batchTimeout={"timeout":"2"}']],
    'missing unit in duration',
  ],
  [
    'an unknown orderer capability',
    'orderer',
    [['edit', '--set', 'orderer.capabilities={"capabilities":{"V9_9":{}}}']],
    'Orderer capability V9_9 is required but not supported',
  ],
  [
    'a change of the orderer signed by an application organisation',
    'org1',
    [['edit', '--set', 'orderer.batchSize.maxMessageCount=77']],
    'policy for [Value]  /Channel/Orderer/BatchSize not satisfied',
  ],
  [
    'an ACL signed by one of two organisations',
    'org1',
    [['acl set', 'qscc/GetChainInfo', '/Channel/Application/Writers']],
    "1 sub-policies were satisfied, but this policy requires 2 of the 'Admins' sub-policies",
  ],
  [
    'maintenance mode together with another change',
    'orderer',
    [
      [
        'edit',
        '--set',
        'orderer.consensusType.state=STATE_MAINTENANCE',
        '--set',
        'orderer.batchSize.maxMessageCount=7',
      ],
    ],
    'config update contain more then just the ConsensusType value in the Orderer group',
  ],
  [
    'an unknown hashing algorithm with one signature of two',
    'orderer',
    [['edit', '--set', 'channel.hashingAlgorithm.name=MD5']],
    'policy for [Value]  /Channel/HashingAlgorithm not satisfied',
  ],
  [
    'an election as short as a heartbeat',
    'orderer',
    [['edit', '--set', 'orderer.consensusType.metadata.options.electionTick=1']],
    'ElectionTick (1) must be greater than HeartbeatTick (1)',
  ],
  [
    'an absolute maximum of 0 bytes',
    'orderer',
    [['edit', '--set', 'orderer.batchSize.absoluteMaxBytes=0']],
    'Attempted to set the batch size absolute max bytes to an invalid value: 0',
  ],
  [
    'two consenters removed at once',
    'orderer',
    [
      ['consenter remove', 'CONSENTER2'],
      ['consenter remove', 'CONSENTER3'],
    ],
    'update of more than one consenter at a time is not supported, requested changes: add 0 node(s), remove 2 node(s)',
  ],
];

test.serial('review predicts eleven refusals of real orderers, with their text', async (t) => {
  const network = await startNetwork(t, { orderers: 3, organisations: 2 });
  const { directory, orderers, peers } = network;
  const signers = { orderer: orderers[0].identity, org1: peers[0].identity } as const;
  await fetchBlock(network);
  for (const [what, signer, commands, text] of REFUSED) {
    const identity = signers[signer];
    for (const [index, [name = '', ...args]] of commands.entries()) {
      const named = args.map((arg) =>
        arg.replace(/^CONSENTER(\d)$/, (_, n) => orderers[Number(n) - 1]!.address),
      );
      const onto = index === 0 ? [] : ['--onto', 'update.pb'];
      translate(directory, [...name.split(' '), 'block.pb', ...named, ...onto, '-o', 'update.pb']);
    }
    const signing = ['--msp', identity.admin, '--mspid', identity.mspId];
    translate(directory, ['sign', 'update.pb', '--unreviewed', ...signing, '-o', 'envelope.pb']);
    const { status, output } = review(directory, identity);
    t.true(status === 2 || status === 3, `${what}: ${String(status)} ${output}`);
    const { accepted, channel, findings } = JSON.parse(output) as {
      accepted: boolean;
      channel: string;
      findings: readonly { readonly orderer?: string }[];
    };
    t.deepEqual([accepted, channel], [false, CHANNEL], what);
    const printed = submitRefused(network, identity);
    t.true(printed.includes(text), `${what}: ${printed}`);
    const found = findings.some(({ orderer }) => orderer !== undefined && printed.includes(orderer));
    t.true(found, `${what}: ${printed}\n${JSON.stringify(findings)}`);
  }
});
