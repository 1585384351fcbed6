// Who has signed for each group of a policy.

import test from 'ava';
import { readConfigFile, readUpdateFile } from '../../../translator/channel/index.js';
import { setPolicy, unsignedUpdate } from '../../../translator/edit/index.js';
import { review, type ReviewedBranch } from '../../../translator/review/index.js';
import { largeChannel } from '../../helpers/large-channel.js';
import { networkBlock } from '../../helpers/network-block.js';

const NOW = new Date('2026-11-24T00:00:00Z');

test('the organisations that have signed are satisfied, and name their signers', async (t) => {
  const { config, envelope } = largeChannel(5, 2);
  const { policies } = await review(readUpdateFile(envelope), readConfigFile(config), { now: NOW });
  const [policy] = policies;
  t.deepEqual(
    policy!.branches.map(({ group, satisfied, signers }) => [group, satisfied, signers.length]),
    [
      ['Org1', true, 1],
      ['Org2', true, 1],
      ['Org3', false, 0],
      ['Org4', false, 0],
      ['Org5', false, 0],
    ],
  );
  t.regex(policy!.branches[0]!.signers[0]!, /Admin@org1/);
  t.is(policy!.signers.length, 2);
});

test('the policies of groups below groups are branches of branches', async (t) => {
  const block = readConfigFile(networkBlock());
  const { config } = setPolicy(block.config, '/Channel/Admins', 'ALL Admins');
  const update = unsignedUpdate(block.config, config, 'mychannel');
  const { policies } = await review(update, block, { now: NOW });
  const shape = ({ group, branches }: ReviewedBranch): unknown => [group, branches.map(shape)];
  t.deepEqual(policies[0]!.branches.map(shape), [
    [
      'Application',
      [
        ['Org1MSP', []],
        ['Org2MSP', []],
      ],
    ],
    ['Orderer', [['OrdererOrg', []]]],
  ]);
});
