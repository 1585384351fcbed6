// What actors lose and gain, and what a review says about it.

import { readFileSync } from 'node:fs';
import test from 'ava';
import { ACL_RESOURCES } from '../../../translator/channel/acl-resources.js';
import { addressText } from '../../../translator/channel/address.js';
import { channelOf } from '../../../translator/channel/channel.js';
import type { Config, ConfigGroup, ConfigPolicy } from '../../../translator/channel/element.js';
import { readConfigFile, readUpdateFile } from '../../../translator/channel/file.js';
import { readConfig } from '../../../translator/channel/read.js';
import { writeConfig } from '../../../translator/channel/write.js';
import type { Principal } from '../../../translator/msp/index.js';
import {
  parseSignaturePolicy,
  writeImplicitMeta,
  writePrincipal,
  writeSignaturePolicy,
} from '../../../translator/policy/index.js';
import { setAcl } from '../../../translator/edit/index.js';
import { review, type Finding } from '../../../translator/review/index.js';
import { rotateConsenter, unsignedUpdate } from '../../../translator/edit/index.js';
import { inMsp, type Group } from '../../helpers/changed-config.js';
import { parse, serialize, type Tree } from '../../fuzz/review/messages.js';
import { makeCertificate } from '../../helpers/made-certificates.js';
import { computeUpdate } from '../../../translator/update/index.js';

const block = readConfigFile(readFileSync('test/vectors/powers/raft.block'));
const now = new Date('2026-11-25T00:00:00Z');

/** A copy of a group in which one element below it is replaced; undefined removes it. */
function withPolicy(
  group: ConfigGroup,
  path: readonly string[],
  policy: ConfigPolicy['policy'],
): ConfigGroup {
  const [name = '', ...rest] = path;
  if (rest.length > 0) {
    const inner = withPolicy(group.groups.get(name)!, rest, policy);
    return { ...group, groups: new Map([...group.groups, [name, inner]]) };
  }
  const old = group.policies.get(name) ?? group.policies.get('Readers')!;
  return { ...group, policies: new Map([...group.policies, [name, { ...old, policy }]]) };
}

const signature = (text: string): ConfigPolicy['policy'] => ({
  type: 1,
  value: writeSignaturePolicy(parseSignaturePolicy(text)),
});
const meta = (rule: 'ANY' | 'ALL', subPolicy: string): ConfigPolicy['policy'] => ({
  type: 3,
  value: writeImplicitMeta({ rule: rule === 'ANY' ? 0 : 1, subPolicy }),
});

/** What a review says about services when the channel group is changed. */
async function findingsOf(channelGroup: ConfigGroup, before = block): Promise<string[]> {
  const { config } = before;
  const update = computeUpdate(writeConfig(config), writeConfig({ ...config, channelGroup }), 'ch1');
  const { findings } = await review(readUpdateFile(update), before, { now });
  return findings.filter(isOfServices).map(({ severity, path, text }) => `${severity} ${path}: ${text}`);
}

const isOfServices = ({ id }: Finding): boolean => id.startsWith('service-') || id === 'policy-weakened';

const { channelGroup } = block.config;

for (const [title, path, policy, expected] of [
  [
    'clients and peers of one organisation lose what its Readers decide',
    ['Application', 'Org2MSP', 'Readers'],
    signature("OR('Org2MSP.admin')"),
    [
      "danger /Channel/Application/Org2MSP/Readers: peers of Org2MSP cannot read blocks and exchange data with other peers (gossip); clients of Org2MSP cannot receive events, query the config, query blocks and transactions and query chaincodes of the previous lifecycle after this update: /Channel/Readers depends on /Channel/Application/Org2MSP/Readers, which requires OR('Org2MSP.admin')",
    ],
  ],
  [
    'orderers that are no writers accept no config update: they sign the config that they make of it',
    ['Orderer', 'Writers'],
    signature("OR('OrdererMSP.admin')"),
    [
      "danger /Channel/Orderer/Writers: orderers of OrdererOrg cannot accept config updates after this update: /Channel/Writers depends on /Channel/Orderer/Writers, which requires OR('OrdererMSP.admin')",
    ],
  ],
  [
    'an endorsement policy that anybody satisfies takes nothing from peers',
    ['Application', 'Org2MSP', 'Endorsement'],
    meta('ALL', 'Endorsement'),
    [
      'danger /Channel/Application/LifecycleEndorsement: this policy needs fewer or different signatures than before: Org1MSP alone',
      'danger /Channel/Application/Org2MSP/Endorsement: peers of Org1MSP, clients of Org1MSP, admins of Org1MSP and OrdererOrg, orderers of OrdererOrg can endorse by the default policy in place of Org2MSP after this update, and could not before',
    ],
  ],
  [
    'Readers of peers, admins and clients take nothing from anybody',
    ['Application', 'Org2MSP', 'Readers'],
    signature("OR('Org2MSP.admin', 'Org2MSP.peer', 'Org2MSP.client')"),
    [],
  ],
  [
    'a policy that depends on another one that has not changed is the cause',
    ['Readers'],
    meta('ANY', 'Admins'),
    [
      'danger /Channel/Readers: peers of Org1MSP and Org2MSP, admins of Org1MSP and Org2MSP, orderers of OrdererOrg cannot read blocks after this update: /Channel/Readers needs 1 of its groups, ANY Admins (1 of Application, Orderer), and one signature satisfies 0',
    ],
  ],
  [
    'peers whose signature does not count for chaincode definitions',
    ['Application', 'LifecycleEndorsement'],
    signature("AND('Org1MSP.peer', 'Org1MSP.admin')"),
    [
      'danger /Channel/Application/LifecycleEndorsement: this policy needs fewer or different signatures than before: Org1MSP alone',
      "danger /Channel/Application/LifecycleEndorsement: peers of Org2MSP cannot endorse chaincode definitions after this update: /Channel/Application/LifecycleEndorsement requires AND('Org1MSP.peer', 'Org1MSP.admin')",
    ],
  ],
  [
    'peers of another organisation endorse for this one',
    ['Application', 'Org1MSP', 'Endorsement'],
    signature("OR('Org1MSP.peer', 'Org2MSP.peer')"),
    [
      'danger /Channel/Application/Org1MSP/Endorsement: peers of Org2MSP can endorse by the default policy in place of Org1MSP after this update, and could not before',
      'warning /Channel/Application/Org1MSP/Endorsement: this policy needs fewer or different signatures than before: Org2MSP.peer alone',
    ],
  ],
] as const)
  test(title, async (t) => {
    t.deepEqual(await findingsOf(withPolicy(channelGroup, path, policy)), [...expected]);
  });

/** `OR` of a client of Org1 and of members of Org1 with another principal. */
const orOf = (principal: Principal): ConfigPolicy['policy'] => {
  const { identities, ...policy } = parseSignaturePolicy("OR('Org1MSP.admin', 'Org1MSP.client')");
  const other = { principal, bytes: writePrincipal(principal) };
  return { type: 1, value: writeSignaturePolicy({ ...policy, identities: [identities[0]!, other] }) };
};

for (const [what, principal] of [
  [
    'a unit without certifiers',
    { kind: 'ou', mspid: 'Org1MSP', unit: 'Finance', certifiersIdentifier: new Uint8Array() },
  ],
  [
    'two MSPs at once',
    {
      kind: 'combined',
      principals: [
        { kind: 'role', mspid: 'Org1MSP', role: 'client' },
        { kind: 'role', mspid: 'Org2MSP', role: 'client' },
      ],
    },
  ],
  ['an empty combination', { kind: 'combined', principals: [] }],
  ['an anonymous identity', { kind: 'anonymity', type: 'anonymous' }],
] as const satisfies readonly (readonly [string, Principal])[])
  test(`a principal that nobody satisfies is not enough for a policy: ${what}`, async (t) => {
    const changed = withPolicy(channelGroup, ['Application', 'Org1MSP', 'Admins'], orOf(principal));
    t.deepEqual(await findingsOf(changed), []);
  });

test('a role that no CA of the MSP gives is not enough for a policy', async (t) => {
  const withoutClients = (config: Config): Config => {
    const tree = parse('common.Config', writeConfig(config));
    const org1 = (tree.channel_group as Group).groups.Application!.groups.Org1MSP!;
    inMsp(org1, (msp) => ((msp.fabric_node_ous as Tree).client_ou_identifier = null));
    return readConfig(serialize('common.Config', tree));
  };
  const before = { ...block, config: withoutClients(block.config) };
  const policy = signature("OR('Org1MSP.admin', 'Org1MSP.client')");
  const after = withPolicy(before.config.channelGroup, ['Application', 'Org1MSP', 'Admins'], policy);
  t.deepEqual(await findingsOf(after, before), []);
});

test('that an organisation leaves is reported once, as a warning', async (t) => {
  const application = channelGroup.groups.get('Application')!;
  const groups = new Map([...application.groups].filter(([name]) => name !== 'Org2MSP'));
  t.deepEqual(
    await findingsOf({
      ...channelGroup,
      groups: new Map([...channelGroup.groups, ['Application', { ...application, groups }]]),
    }),
    [
      'warning /Channel/Application/Org2MSP: peers of Org2MSP, admins of Org2MSP cannot read blocks; peers of Org2MSP cannot endorse approvals of chaincode definitions, exchange data with other peers (gossip), endorse chaincode definitions and endorse by the default policy; clients of Org2MSP, admins of Org2MSP cannot submit transactions, receive events, query the config, query blocks and transactions and 4 more; clients of Org2MSP cannot call a chaincode from another one and discover peers and endorsers; admins of Org2MSP cannot submit config updates and act as its admins after this update: no organisation of the channel has their MSP any more',
    ],
  );
});

for (const [resource, policy, severity, who] of [
  [
    'qscc/GetChainInfo',
    '/Channel/Application/AnyAdmin',
    'warning',
    'clients of Org1MSP and Org2MSP cannot query',
  ],
  [
    'event/Block',
    '/Channel/Application/AnyAdmin',
    'danger',
    'clients of Org1MSP and Org2MSP cannot receive events',
  ],
  [
    'event/FilteredBlock',
    '/Channel/Application/Admins',
    'danger',
    'clients of Org1MSP and Org2MSP, admins of Org1MSP and Org2MSP cannot receive events',
  ],
  [
    'qscc/GetChainInfo',
    '/Channel/Application/Admins',
    'danger',
    'clients of Org1MSP and Org2MSP, admins of Org1MSP and Org2MSP cannot query',
  ],
] as const)
  test(`the ACL ${resource} ${policy} is a ${severity}: ${who}`, async (t) => {
    const changed = withPolicy(channelGroup, ['Application', 'AnyAdmin'], meta('ANY', 'Admins'));
    const config = { ...block.config, channelGroup: changed };
    const [finding, ...others] = await findingsOf(setAcl(config, resource, policy).config.channelGroup);
    t.deepEqual(others, []);
    t.true(finding?.startsWith(`${severity} /Channel/Application/ACLs: ${who}`), finding);
  });

const bft = readConfigFile(readFileSync('test/vectors/powers/bft.block'));

test('discovery has no ACL: clients lose it with the Writers of the application, whatever the ACLs say', async (t) => {
  let { config } = block;
  for (const resource of ACL_RESOURCES)
    ({ config } = setAcl(config, resource, '/Channel/Application/Readers'));
  const changed = withPolicy(config.channelGroup, ['Application', 'Writers'], meta('ANY', 'Admins'));
  t.deepEqual(await findingsOf(changed, { ...block, config }), [
    'danger /Channel/Application/Writers: clients of Org1MSP and Org2MSP cannot submit transactions and discover peers and endorsers after this update: /Channel/Writers depends on /Channel/Application/Writers, which needs 1 of its groups, ANY Admins (1 of Org1MSP, Org2MSP), and one signature satisfies 0',
  ]);
});

for (const [consensus, given, lost] of [
  ['BFT', bft, 'accept config updates in maintenance and agree on blocks (BFT)'],
  ['Raft', block, 'accept config updates in maintenance'],
] as const)
  test(`orderers that are no Writers of the orderers cannot ${lost}: ${consensus}`, async (t) => {
    const { config } = given;
    const before = withPolicy(config.channelGroup, ['Writers'], meta('ANY', 'Readers'));
    const after = withPolicy(before, ['Orderer', 'Writers'], meta('ANY', 'Admins'));
    const found = await findingsOf(after, { ...given, config: { ...config, channelGroup: before } });
    t.deepEqual(found, [
      `danger /Channel/Orderer/Writers: orderers of OrdererOrg cannot ${lost} after this update: /Channel/Orderer/Writers needs 1 of its groups, ANY Admins (1 of OrdererOrg), and one signature satisfies 0`,
    ]);
  });

for (const [what, policy, step] of [
  [
    'an implicit meta policy has the number of groups that one signature satisfies',
    meta('ALL', 'Readers'),
    { policy: '/Channel/Readers', text: 'ALL Readers (2 of Application, Orderer)', needed: 2, satisfied: 1 },
  ],
  [
    'a signature policy has none',
    signature("AND('Org1MSP.peer', 'OrdererMSP.admin')"),
    {
      policy: '/Channel/Readers',
      text: "AND('Org1MSP.peer', 'OrdererMSP.admin')",
      needed: null,
      satisfied: null,
    },
  ],
] as const)
  test(`the policy that is not satisfied, as data of a lost service: ${what}`, async (t) => {
    const { config } = block;
    const changed = withPolicy(channelGroup, ['Readers'], policy);
    const file = unsignedUpdate(config, { ...config, channelGroup: changed }, 'ch1');
    const { findings } = await review(file, block, { now });
    const lost = findings.find(({ id }) => id === 'service-lost');
    t.deepEqual((lost?.data as { steps?: unknown } | undefined)?.steps, [step]);
  });

const foreign = makeCertificate({ commonName: 'ca.foreign' });

/** What a review of a BFT channel says about the identities of its consenters, some of which another CA has issued after the update. */
async function quorumFindings(count: number): Promise<readonly Finding[]> {
  const { consenters } = channelOf(bft.config).orderer;
  let { config } = bft;
  for (const consenter of consenters.slice(0, count)) {
    const identity = makeCertificate({ commonName: 'node', unit: 'orderer', issuer: foreign }).pem;
    ({ config } = rotateConsenter(config, addressText(consenter), { identity }));
  }
  const file = unsignedUpdate(bft.config, config, 'ch1');
  const { findings } = await review(file, bft, { now });
  return findings.filter(isOfServices);
}

test('the identities of two of four BFT consenters are not those of an MSP: no block has a quorum', async (t) => {
  const found = await quorumFindings(2);
  t.deepEqual(
    found.map(({ severity, path, text }) => `${severity} ${path}: ${text}`),
    [
      'danger /Channel/Orderer/Orderers: orderers of OrdererOrg cannot make blocks that peers take after this update: their certificates do not count any more (2 of 4 consenters have identities that count, and a block needs 3)',
    ],
  );
});

test('the identity of one of four BFT consenters is not that of an MSP: blocks still have a quorum', async (t) => {
  t.deepEqual(await quorumFindings(1), []);
});
