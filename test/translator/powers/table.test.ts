// The names of organisations in the tables of `powersOf`, and values that do not parse.

import test from 'ava';
import { readConfigFile, type ConfigFile } from '../../../translator/channel/index.js';
import { powersOf, powersOfBoth, type ChannelPowers } from '../../../translator/powers/index.js';
import { application, harmOf, orderer, ordererOrg, org1, type Group } from '../../helpers/changed-config.js';
import { bytesIn, readReviewCases } from '../../helpers/review-cases.js';
import { parse, serialize } from '../../fuzz/review/messages.js';

const { configs } = readReviewCases();

function changed(change: (channel: Group) => void): ConfigFile {
  const tree = parse('common.Config', bytesIn(configs.app3!));
  change(tree.channel_group as Group);
  return readConfigFile(serialize('common.Config', tree));
}

/** The group of the orderer organisation gets another name. */
const renamed = (channel: Group): void => {
  const { groups } = orderer(channel);
  groups.Org1 = groups.OrdererOrg!;
  delete groups.OrdererOrg;
};

/** The orderer organisation gets the name and the MSP of Org1. */
const shared = (channel: Group): void => {
  ordererOrg(channel).values.MSP = org1(channel).values.MSP!;
  renamed(channel);
};

const readersIn = ({ services }: Pick<ChannelPowers, 'services'>): unknown =>
  services.find(({ service }) => service === 'read-blocks')!.who;

const named = (...names: readonly (readonly [string, string])[]): unknown =>
  names.map(([name, mspid]) => ({ name, mspid, isJudged: true }));

test('organisations of one name with different MSP ids are two', async (t) => {
  const powers = await powersOf(changed(renamed));
  t.deepEqual(readersIn(powers), [
    { role: 'peer', organizations: ['Application/Org1', 'Org2', 'Org3'] },
    { role: 'admin', organizations: ['Application/Org1', 'Org2', 'Org3', 'OrdererOrgB', 'Orderer/Org1'] },
    { role: 'orderer', organizations: ['OrdererOrgB', 'Orderer/Org1'] },
  ]);
  t.deepEqual(
    powers.organizations,
    named(
      ['Application/Org1', 'Org1MSP'],
      ['Org2', 'Org2MSP'],
      ['Org3', 'Org3MSP'],
      ['OrdererOrgB', 'OrdererBMSP'],
      ['Orderer/Org1', 'OrdererMSP'],
    ),
  );
});

test('groups of one name with the same MSP id are one organisation', async (t) => {
  const { organizations } = await powersOf(changed(shared));
  t.deepEqual(
    organizations,
    named(['Org1', 'Org1MSP'], ['Org2', 'Org2MSP'], ['Org3', 'Org3MSP'], ['OrdererOrgB', 'OrdererBMSP']),
  );
});

test('an organisation has the same name in two configs of which only one has another of this name', async (t) => {
  const { before, after } = await powersOfBoth(
    changed(() => {}),
    changed(renamed),
  );
  const peers = { role: 'peer', organizations: ['Application/Org1', 'Org2', 'Org3'] };
  t.deepEqual(
    [before, after].map((each) => (readersIn(each) as unknown[])[0]),
    [peers, peers],
  );
});

test('a finding about a service tells organisations of one name apart', async (t) => {
  const found = await harmOf(
    'app3',
    (channel) => {
      application(channel).groups.Org1!.policies.Readers = org1(channel).policies.Admins!;
    },
    renamed,
  );
  t.deepEqual(
    found.filter((line) => line.includes('service-lost')),
    [
      "danger service-lost: peers of Application/Org1 cannot read blocks; clients of Application/Org1 cannot receive events, query the config, query blocks and transactions and query chaincodes of the previous lifecycle after this update: /Channel/Readers depends on /Channel/Application/Org1/Readers, which requires OR('Org1MSP.admin')",
    ],
  );
});

const broken = (group: Group, name: string): void =>
  void (group.values[name] = { value: Buffer.from('ff', 'hex'), mod_policy: 'Admins' });

for (const [path, change] of [
  ['/Channel/Capabilities', (channel) => broken(channel, 'Capabilities')],
  ['/Channel/Application/ACLs', (channel) => broken(application(channel), 'ACLs')],
  ['/Channel/Application/Org1/MSP', (channel) => broken(org1(channel), 'MSP')],
  ['/Channel/Orderer/ConsensusType', (channel) => broken(orderer(channel), 'ConsensusType')],
] as const satisfies readonly (readonly [string, (channel: Group) => void])[])
  test(`the error of powersOf names ${path}, which does not parse`, async (t) => {
    await t.throwsAsync(powersOf(changed(change)), {
      code: 'BAD_BYTES',
      message: `${path}: proto: cannot parse invalid wire-format data`,
    });
  });
