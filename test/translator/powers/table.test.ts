// The tables of `powersOf`: the names of organisations, MSPs without node OUs, and values that do not parse.

import test from 'ava';
import { readConfigFile, type ConfigFile } from '../../../translator/channel/index.js';
import { powersOf, powersOfBoth, type ChannelPowers } from '../../../translator/powers/index.js';
import { parseSignaturePolicy, writeSignaturePolicy } from '../../../translator/policy/index.js';
import {
  application,
  harmOf,
  inMsp,
  orderer,
  ordererOrg,
  org1,
  type Group,
} from '../../helpers/changed-config.js';
import { makeCertificate } from '../../helpers/made-certificates.js';
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

/** Org1 gets an MSP with another CA, which lists an admin, and its members read, write and endorse. @param msp the rest of the MSP */
const withListedAdmin =
  (msp: (ca: Uint8Array) => Readonly<Record<string, unknown>>) =>
  (channel: Group): void => {
    const ca = makeCertificate({ commonName: 'ca.org1' });
    const admin = makeCertificate({ commonName: 'admin', unit: 'admin', issuer: ca });
    inMsp(org1(channel), (config) => {
      delete config.fabric_node_ous;
      Object.assign(config, { root_certs: [ca.pem], admins: [admin.pem] }, msp(ca.pem));
    });
    const members = { type: 1, value: writeSignaturePolicy(parseSignaturePolicy("OR('Org1MSP.member')")) };
    for (const name of ['Readers', 'Writers', 'Endorsement']) org1(channel).policies[name]!.policy = members;
  };

/** The services and roles of Org1. */
const ofOrg1 = ({ services }: Pick<ChannelPowers, 'services'>): readonly string[] =>
  services.flatMap(({ service, who }) =>
    who
      .filter(({ organizations }) => organizations.includes('Org1'))
      .map(({ role }) => `${service}: ${role}`),
  );

test('without node OUs, peers and clients have the services of members, and the listed admin is an admin', async (t) => {
  t.deepEqual(
    ofOrg1(await powersOf(changed(withListedAdmin(() => ({}))))),
    ofOrg1(await powersOf(changed(() => {}))),
  );
});

test('a listed admin is an admin although it has no unit that the MSP requires, and others of its CA have no service', async (t) => {
  const unit = (name: string): unknown => ({ organizational_unit_identifier: name });
  const msp = withListedAdmin((ca) => ({
    fabric_node_ous: {
      enable: true,
      client_ou_identifier: unit('client'),
      admin_ou_identifier: unit('admin'),
    },
    organizational_unit_identifiers: [{ certificate: ca, organizational_unit_identifier: 'staff' }],
  }));
  const powers = await powersOf(changed(msp));
  t.deepEqual(powers.unknown, []);
  t.deepEqual(ofOrg1(powers), ['administer: admin']);
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
      "danger service-lost: peers of Application/Org1 cannot read blocks and exchange data with other peers (gossip); clients of Application/Org1 cannot receive events, query the config, query blocks and transactions and query chaincodes of the previous lifecycle after this update: /Channel/Readers depends on /Channel/Application/Org1/Readers, which requires OR('Org1MSP.admin')",
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
