// Policies that nobody or anybody can satisfy, that are removed, and elements that nobody can change any more.

import test from 'ava';
import {
  application,
  harmOf,
  inMsp,
  inValue,
  orderer,
  org1,
  reviewOf,
  type Group,
} from '../../helpers/changed-config.js';
import { countingFindings } from '../../../translator/review/index.js';
import { parse, serialize, type Tree } from '../../fuzz/review/messages.js';

const nodeOus = (msp: Tree): Tree => msp.fabric_node_ous as Tree;

for (const [what, change, unsatisfiable] of [
  ['no unit of peers', (msp) => delete nodeOus(msp).peer_ou_identifier, ['Endorsement']],
  ['no unit of clients', (msp) => delete nodeOus(msp).client_ou_identifier, []],
  [
    'the unit of peers as required unit',
    (msp) => (msp.organizational_unit_identifiers = [nodeOus(msp).peer_ou_identifier]),
    ['Admins', 'Writers'],
  ],
  [
    'another required unit',
    (msp) =>
      (msp.organizational_unit_identifiers = [
        { ...(nodeOus(msp).peer_ou_identifier as Tree), organizational_unit_identifier: 'Finance' },
      ]),
    [],
  ],
] as const satisfies readonly (readonly [string, (msp: Tree) => unknown, readonly string[]])[])
  test(`an MSP with ${what}: ${unsatisfiable.length === 0 ? 'each policy' : `all policies but ${unsatisfiable.join(' and ')}`} of the organisation can be satisfied`, async (t) => {
    const { findings } = await reviewOf('raft5', (channel: Group) =>
      inMsp(org1(channel), (msp) => void change(msp)),
    );
    t.deepEqual(
      findings
        .filter(
          ({ id, path }) => id === 'policy-unsatisfiable' && path.startsWith('/Channel/Application/Org1/'),
        )
        .map(({ path }) => path.slice(path.lastIndexOf('/') + 1))
        .toSorted(),
      [...unsatisfiable],
    );
  });

const meta = (subPolicy: string): Tree => ({
  type: 3,
  value: serialize('common.ImplicitMetaPolicy', { rule: 'MAJORITY', sub_policy: subPolicy }),
});
const signedBy = (mspid: string): Tree => ({
  type: 1,
  value: serialize('common.SignaturePolicyEnvelope', {
    rule: { signed_by: 0 },
    identities: [{ principal: serialize('common.MSPRole', { msp_identifier: mspid, role: 'ADMIN' }) }],
  }),
});

for (const [what, change, path, stops, todo] of [
  [
    'new organisations without Endorsement',
    (channel) => {
      for (const name of ['Org7', 'Org8', 'Org9', 'Org10']) {
        const group = structuredClone(org1(channel));
        delete group.policies.Endorsement;
        inValue(group, 'MSP', 'msp.MSPConfig', (message) => {
          const config = parse('msp.FabricMSPConfig', message.config as Uint8Array);
          message.config = serialize('msp.FabricMSPConfig', { ...config, name });
        });
        application(channel).groups[name] = group;
      }
    },
    '/Channel/Application/Endorsement',
    'transactions of chaincodes with the default endorsement policy are invalid; no chaincode can be defined or changed any more',
    'give Org10, Org7, Org8, Org9 a policy "Endorsement"',
  ],
  [
    'a policy that no organisation has',
    (channel) => (orderer(channel).policies.Admins!.policy = meta('Bosses')),
    '/Channel/Orderer/Admins',
    'nobody can change the group Orderer any more; nobody can change the channel any more',
    'name a policy that the members of the group have: none has a policy "Bosses"',
  ],
  [
    'the MSP id of a removed organisation',
    (channel) => {
      application(channel).policies.LifecycleEndorsement!.policy = signedBy('Org2MSP');
      delete application(channel).groups.Org2;
    },
    '/Channel/Application/LifecycleEndorsement',
    'no chaincode can be defined or changed any more',
    'keep the organisation with the MSP id "Org2MSP" on the channel, or name another one in the policy; upper and lower case differ',
  ],
] as const satisfies readonly (readonly [string, (channel: Group) => unknown, string, string, string])[])
  test(`nobody can satisfy a policy because of ${what}: one finding with everything that stops, and its repair`, async (t) => {
    const review = await reviewOf('app3', (channel) => void change(channel));
    const found = countingFindings(review).filter(({ id }) => id === 'policy-unsatisfiable');
    t.deepEqual(
      found.map((each) => [each.path, each.text.split(': ').at(-1)!.split('; after this')[0], each.todo]),
      [[path, stops, todo]],
    );
    t.deepEqual(
      countingFindings(review).filter(({ id }) => id === 'mod-policy-frozen'),
      [],
    );
  });

test('an MSP without the unit of peers is one danger: the policy that nobody satisfies follows from it', async (t) => {
  const review = await reviewOf('app3', (channel) =>
    inMsp(org1(channel), (msp) => delete nodeOus(msp).peer_ou_identifier),
  );
  t.deepEqual(
    countingFindings(review).flatMap(({ severity, id }) => (severity === 'danger' ? id : [])),
    ['msp-node-ou-changed'],
  );
  const explained = review.findings.filter(({ explainedBy }) => explainedBy === 'msp-node-ou-changed');
  t.deepEqual(
    explained.map(({ id, path }) => [id, path]),
    [['policy-unsatisfiable', '/Channel/Application/Org1/Endorsement']],
  );
});

/** The policies that Fabric uses, and the effect of their removal. */
for (const [name, severity, effect] of [
  ['Admins', 'danger', 'nobody can change the group Application again'],
  ['Writers', 'danger', 'nobody can submit to the group Application'],
  ['Readers', 'danger', 'peers and clients cannot read blocks of the group Application'],
  ['BlockValidation', 'danger', 'orderers stop at their next start'],
  ['Endorsement', 'warning', 'chaincodes without a policy of their own cannot be approved or endorsed'],
  [
    'LifecycleEndorsement',
    'warning',
    'a member of a majority of the organisations is enough for chaincode definitions then',
  ],
] as const)
  test(`the policy ${name} is removed: ${severity}, ${effect}`, async (t) => {
    const { findings } = await reviewOf('app3', (channel) => {
      const group = name === 'BlockValidation' ? orderer(channel) : application(channel);
      delete group.policies[name];
    });
    const found = findings.find(({ id }) => id === 'policy-missing')!;
    t.is(found.severity, severity);
    t.true(found.text.startsWith(`the policy ${name} is missing: ${effect}`), found.text);
  });

test('a policy that Fabric does not use may be removed', async (t) => {
  const { findings } = await reviewOf(
    'app3',
    (channel) => void delete application(channel).policies.Own,
    (channel) => void (application(channel).policies.Own = application(channel).policies.Readers!),
  );
  t.false(findings.some(({ id }) => id === 'policy-missing'));
});

const metaOf = (rule: number, sub_policy: string): { policy: Tree; mod_policy: string } => ({
  policy: { type: 3, value: serialize('common.ImplicitMetaPolicy', { rule, sub_policy }) },
  mod_policy: 'Admins',
});
const [ANY, ALL] = [0, 1];
/** An unknown rule, which needs no group. */
const NONE = 9;

/** What is said about a new policy of the application. */
async function ofNewPolicy(name: string, rule: number, prepare: (channel: Group) => void): Promise<string[]> {
  const found = await harmOf(
    'app3',
    (channel) => void (application(channel).policies[name] = metaOf(rule, 'Clerks')),
    prepare,
  );
  return found.filter((text) => /^\w+ (?:sub-policy-missing|policy-unsatisfiable|policy-always)/.test(text));
}

const clerks =
  (...names: readonly string[]) =>
  (channel: Group): void => {
    for (const name of names) {
      const { policies } = application(channel).groups[name]!;
      policies.Clerks = policies.Admins!;
    }
  };
const more =
  (count: number) =>
  (channel: Group): void => {
    const { groups } = application(channel);
    for (let index = 0; index < count; index += 1) {
      groups[`Z${index}`] = structuredClone(groups.Org3!);
      delete groups[`Z${index}`]!.values.MSP;
    }
  };

for (const [what, rule, prepare, text] of [
  [
    'that one of three organisations lacks',
    ANY,
    clerks('Org1', 'Org2'),
    'warning sub-policy-missing: the policy counts Org3, which has no policy "Clerks" and can never satisfy it',
  ],
  [
    'that two of three organisations lack',
    ANY,
    clerks('Org1'),
    'warning sub-policy-missing: the policy counts Org2, Org3, which have no policy "Clerks" and can never satisfy it',
  ],
  [
    'that five organisations lack',
    ANY,
    (channel) => {
      more(3)(channel);
      clerks('Org1')(channel);
    },
    'warning sub-policy-missing: the policy counts Org2, Org3, Z0, Z1, Z2, which have no policy "Clerks" and can never satisfy it',
  ],
  [
    'that six organisations lack',
    ANY,
    (channel) => {
      more(4)(channel);
      clerks('Org1')(channel);
    },
    'warning sub-policy-missing: the policy counts Org2, Org3, Z0, Z1, Z2 and 1 more, which have no policy "Clerks" and can never satisfy it',
  ],
  [
    'of which all are needed',
    ALL,
    clerks('Org1', 'Org2'),
    'warning policy-unsatisfiable: nobody can satisfy this policy, ALL Clerks (3 of 3; not in Org3: nobody can): no action that requires it is possible any more',
  ],
] as const satisfies readonly (readonly [string, number, (channel: Group) => void, string])[])
  test(`a policy counts a sub-policy ${what}: ${text}`, async (t) => {
    t.deepEqual(await ofNewPolicy('Staff', rule, prepare), [text]);
  });

for (const [name, severity] of [
  ['Staff', 'warning'],
  ['Endorsement', 'danger'],
] as const)
  test(`nobody can satisfy the policy ${name}: ${severity}, because Fabric ${severity === 'danger' ? 'uses it' : 'does not use it'}`, async (t) => {
    const [found = ''] = await ofNewPolicy(name, ALL, clerks('Org1'));
    t.true(found.startsWith(`${severity} policy-unsatisfiable: `), found);
  });

for (const count of [1, 2, 3])
  test(`a mod_policy of ${count} elements of a group names no policy: a finding for each`, async (t) => {
    const found = await harmOf('app3', (channel) => {
      const elements = [org1(channel).values.AnchorPeers!, ...Object.values(org1(channel).policies)];
      for (const element of elements.slice(0, count)) element.mod_policy = 'Nobody';
      application(channel).groups.Org2!.values.AnchorPeers!.mod_policy = 'No one';
    });
    const text = (modPolicy: string): string =>
      `danger mod-policy-missing: the mod_policy "${modPolicy}" names no policy: nobody can change this element until the policy exists`;
    t.deepEqual(found.toSorted(), [text('No one'), ...Array.from({ length: count }, () => text('Nobody'))]);
  });

for (const [who, rule, id] of [
  ['nobody', ALL, 'mod-policy-frozen'],
  ['anybody', NONE, 'mod-policy-open'],
] as const)
  test(`an element moves to an existing policy that ${who} satisfies: the finding is at the element`, async (t) => {
    const { findings } = await reviewOf(
      'app3',
      (channel) => (channel.groups.Orderer!.mod_policy = '/Channel/Application/Odd'),
      (channel) => {
        application(channel).policies.Odd = metaOf(rule, 'Clerks');
        application(channel).values.Capabilities!.mod_policy = 'Odd';
      },
    );
    t.deepEqual(
      findings.filter(({ id: each }) => each === id).map(({ path, severity }) => [path, severity]),
      [['/Channel/Orderer', 'danger']],
    );
  });

test('a policy that does not compile: the services that are lost by it follow from that', async (t) => {
  const { findings } = await reviewOf('app3', (channel) => {
    application(channel).policies.Readers!.policy = { type: 1, value: Buffer.from('0a', 'hex') };
  });
  const found = findings.filter(({ path }) => path === '/Channel/Application/Readers');
  t.deepEqual(
    found
      .filter(({ id }) => id === 'policy-invalid' || id === 'service-lost')
      .map(({ severity, id, explainedBy }) => [severity, id, explainedBy]),
    [
      ['refused', 'policy-invalid', undefined],
      ['danger', 'service-lost', 'policy-invalid'],
    ],
  );
});
