// Control that is handed over in two updates: `review` says it at the first one, which takes nothing from anybody; real orderers
// accept both, and control is lost.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { check, eventually } from './daemon.js';
import {
  editJson,
  fetchBlock,
  review,
  signUpdate,
  submit,
  submitRefused,
  translate,
} from './fabric/channel-edits.js';
import { orderer } from './fabric/harmful-updates.js';
import { startNetwork } from './fabric/network.js';

const ORDERER = '/Channel/Orderer';

test.serial('a policy of the orderers that Org1 may change, and ConsensusType under it', async (t) => {
  const network = await startNetwork(t);
  const { directory, orderers, peers } = network;
  const [owner, taker] = [orderers[0].identity, peers[0].identity];

  // The first step: ConsensusType still needs the administrator of the orderers.
  await fetchBlock(network);
  editJson(network, (channel) => {
    const { policies, values } = orderer(channel);
    policies.Ops = {
      mod_policy: '/Channel/Application/Org1MSP/Admins',
      policy: structuredClone(channel.groups.Orderer!.groups.OrdererOrg!.policies.Admins.policy),
      version: '0',
    };
    values.ConsensusType.mod_policy = 'Ops';
  });
  signUpdate(network, owner);
  const { status, output } = review(directory, owner);
  const { findings } = JSON.parse(output) as {
    findings: readonly { id: string; severity: string; data: Record<string, unknown> }[];
  };
  const dangers = findings.filter(({ severity }) => severity === 'danger');
  t.is(status, 4);
  t.deepEqual(
    dangers.map(({ id, data: { steps } }) => [id, steps]),
    [
      [
        'policy-weakened',
        [
          { element: `${ORDERER}/Ops`, policy: '/Channel/Application/Org1MSP/Admins' },
          { element: `${ORDERER}/ConsensusType`, policy: `${ORDERER}/Ops` },
        ],
      ],
    ],
  );
  await submit(network, owner);

  // The second step: Org1 alone.
  const edit = async (...args: readonly string[]): Promise<void> => {
    const before = readFileSync(join(directory, 'block.pb'));
    await eventually(async () => {
      await fetchBlock(network);
      check(!readFileSync(join(directory, 'block.pb')).equals(before), 'no new config block');
    });
    translate(directory, [...args, '-o', 'update.pb']);
  };
  await edit('policy', 'set', 'block.pb', 'Orderer/Ops', "OR('Org1MSP.admin')");
  signUpdate(network, taker);
  await submit(network, taker);

  // The administrator of the orderers cannot change ConsensusType any more; Org1 stops the channel.
  await edit('edit', 'block.pb', '--set', 'consensusType.state=STATE_MAINTENANCE');
  signUpdate(network, owner);
  t.regex(submitRefused(network, owner), /\/Channel\/Orderer\/ConsensusType not satisfied/);
  signUpdate(network, taker);
  await submit(network, owner);
  await eventually(async () => {
    const printed = submitRefused(network, taker);
    check(printed.includes('permission denied'), printed);
  });
});
