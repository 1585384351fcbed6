// The missing signatures of an update, and orders of signatures.

import test from 'ava';
import { describeNeed, describeSet } from '../../../../translator/documents/index.js';
import {
  createPolicies,
  Evaluation,
  findMissing,
  findOrder,
  findPolicy,
  isSatisfiable,
  judge,
  minimalSignerSets,
  needOf,
  readSignaturePolicy,
  SignerList,
  writeImplicitMeta,
  type PolicyNode,
} from '../../../../translator/policy/index.js';
import { needOfSignaturePolicy, some } from '../../../../translator/policy/search/need.js';
import { finish } from '../../../../translator/long-call.js';
import { oneSignerSet } from '../../../../translator/policy/search/sets.js';
import { groupOf, signers, type GroupSketch } from '../../../helpers/policy-groups.js';

const organization = (name: string): GroupSketch => ({
  policies: { Admins: `OR('${name}.admin')`, Writers: `OR('${name}.admin', '${name}.client')` },
});

const organizations = (count: number): GroupSketch => ({
  groups: Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`Org${at + 1}`, organization(`Org${at + 1}`)]),
  ),
  policies: { Admins: 'MAJORITY Admins', Writers: 'ANY Writers', All: 'ALL Admins' },
});

/** The verdicts on elements of the group Application, each judged by one of these policies. */
function missingOf(application: GroupSketch, policies: readonly string[], names: string) {
  const channel = createPolicies(groupOf({ groups: { Application: application } }));
  const evaluation = new Evaluation(new SignerList(signers(names)));
  const elements = policies.map((modPolicy) => ({
    kind: 'value' as const,
    key: `[Value]  /Channel/Application/${modPolicy}`,
    path: `/Channel/Application/${modPolicy}`,
    names: ['Application', modPolicy],
    before: { modPolicy },
  }));
  return findMissing(judge(channel, elements, evaluation), evaluation, (principal) =>
    isSatisfiable(principal, (mspid) => mspid !== 'Gone'),
  );
}

for (const [names, needed] of [
  ['', ['Org1.admin and Org2.admin', 'Org1.admin and Org3.admin', 'Org2.admin and Org3.admin']],
  ['Org2.admin', ['Org1.admin', 'Org3.admin']],
  ['Org2.client', ['Org1.admin and Org2.admin', 'Org1.admin and Org3.admin', 'Org2.admin and Org3.admin']],
  ['Org2.admin Org3.admin', ['no signature required']],
] as const)
  test(`with ${names || 'nobody'}, a majority of three organisations needs ${needed.join(', or ')}`, (t) => {
    const { sets, frozen } = missingOf(organizations(3), ['Admins'], names);
    t.deepEqual(
      sets?.map((set) => describeSet(set)),
      needed,
    );
    t.deepEqual(frozen, []);
  });

for (const [what, dsl, names, needed] of [
  ['two signatures of one principal', "AND('A.admin', 'A.admin')", 'A.admin', ['A.admin']],
  ['the same signature three times', "AND('A.admin', 'A.admin', 'A.admin')", '', ['3 × A.admin']],
  ['two further signatures', "AND('A.admin', 'A.admin', 'A.admin')", 'A.admin', ['2 × A.admin']],
  [
    'the member, because the admin counts as the admin',
    "AND('A.member', 'A.admin')",
    'A.admin',
    ['A.member'],
  ],
  ['the admin, because the client is a member only', "AND('A.member', 'A.admin')", 'A.client', ['A.admin']],
  [
    'one of three, because two of them are there',
    "AND('A.member', 'A.member', 'A.admin')",
    'A.admin A.client',
    ['A.member'],
  ],
  [
    'the cheapest further signatures',
    "OR(AND('A.admin', 'B.admin'), AND('C.admin', 'D.admin', 'E.admin'))",
    'C.admin D.admin',
    ['E.admin', 'A.admin and B.admin'],
  ],
  [
    'nothing for reordered signatures',
    "AND('A.member', 'A.admin')",
    'A.admin A.client',
    ['no signature required'],
  ],
  ['an MSP that exists', "OR('Gone.admin', 'A.admin')", '', ['A.admin']],
  ['what nobody can', "AND('Gone.admin', 'A.admin')", '', []],
] as const)
  test(`${what}: ${dsl} with ${names || 'nobody'} needs ${needed.join(', or ') || 'what nobody can'}`, (t) => {
    const { sets, example } = missingOf({ policies: { P: dsl } }, ['P'], names);
    t.deepEqual(
      sets?.map((set) => describeSet(set)),
      needed,
    );
    t.is(example === undefined, needed.length === 0);
  });

test('one signature counts for several policies, an admin also as a member', (t) => {
  const application = {
    policies: { P: "OR('A.member')", Q: "OR('A.admin')", R: "AND('A.admin', 'B.admin')" },
  };
  const { policies, sets } = missingOf(application, ['P', 'Q', 'R', 'P'], '');
  t.deepEqual(
    policies.map(({ policy, need }) => [policy.path, describeNeed(need)]),
    [
      ['/Channel/Application/P', 'A.member'],
      ['/Channel/Application/Q', 'A.admin'],
      ['/Channel/Application/R', 'A.admin and B.admin'],
    ],
  );
  t.deepEqual(
    sets?.map((set) => describeSet(set)),
    ['A.admin and B.admin'],
  );
});

test('nobody can change an element with a missing policy', (t) => {
  const { frozen, sets, example } = missingOf(organizations(3), ['Nothing', 'Admins'], '');
  t.deepEqual(
    frozen.map(({ error }) => error),
    ['unexpected missing policy Nothing for item [Value]  /Channel/Application/Nothing'],
  );
  t.deepEqual(sets, []);
  t.is(example, undefined);
});

test('of 250 organisations the sets are too many to list: words, and one set', (t) => {
  const { need, sets, example } = missingOf(organizations(250), ['Admins'], 'Org1.admin Org2.admin');
  t.is(sets, undefined);
  t.is(
    describeNeed(need),
    `any 124 of ${Array.from({ length: 12 }, (_, at) => `Org${at + 3}.admin`).join(', ')} and 236 more`,
  );
  t.is(example?.length, 124);
});

test('all of 250 organisations are one set', (t) => {
  const { sets } = missingOf(organizations(250), ['All'], 'Org1.admin Org2.admin');
  t.deepEqual(
    sets?.map(({ length }) => length),
    [248],
  );
});

const nodeOf = (policy: string): PolicyNode =>
  findPolicy(createPolicies(groupOf({ policies: { P: policy } })).root, 'P')!;

for (const [dsl, words] of [
  ["OutOf(2, 'A.admin', 'B.admin', 'C.admin')", 'any 2 of A.admin, B.admin, C.admin'],
  ["OR('A.admin', AND('B.peer', 'C.peer'))", 'A.admin or (B.peer and C.peer)'],
  ["AND('A.admin', 'A.admin', OutOf(0, 'B.admin'))", '2 × A.admin'],
  ["AND(AND('A.admin', 'B.admin'), 'C.admin')", 'A.admin and B.admin and C.admin'],
  ["OutOf(3, 'A.admin', 'B.admin')", 'nobody can'],
  ["OutOf(0, 'A.admin')", 'no signature required'],
] as const)
  test(`${dsl} needs ${words}`, (t) => {
    t.is(describeNeed(needOf(nodeOf(dsl), () => true)), words);
  });

test('one signature for several policies is named once', (t) => {
  const needs = ["OR('A.admin')", "OR('A.admin')", "AND('A.admin', 'B.admin')"].map((dsl) =>
    needOf(nodeOf(dsl), () => true),
  );
  t.is(describeNeed(some(3, [...needs.slice(0, 2), needs[0]!], true)), 'A.admin');
  t.is(describeNeed(some(2, needs.slice(0, 2), false)), '2 × A.admin');
  t.is(describeNeed(some(2, needs.slice(1), true)), 'A.admin and (A.admin and B.admin)');
});

test('minimal sets are sorted by size and include no other set', (t) => {
  const need = needOf(
    nodeOf("OR(AND('A.admin', 'B.admin'), 'C.admin', AND('C.admin', 'D.admin'))"),
    () => true,
  );
  t.deepEqual(
    minimalSignerSets(need)?.map((set) => describeSet(set)),
    ['C.admin', 'A.admin and B.admin'],
  );
});

for (const [dsl, names, expected] of [
  ["AND('A.member', 'A.admin')", 'A.admin A.client', 'A.client A.admin'],
  ["AND('A.member', 'A.admin')", 'A.client A.admin', 'A.client A.admin'],
  ["AND(OR('A.member', 'A.client'), 'A.member')", 'A.admin A.client', 'A.client A.admin'],
  [
    "AND('A.member', 'A.admin', 'B.member', 'B.admin')",
    'A.admin B.admin A.client B.client',
    'A.client B.client A.admin B.admin',
  ],
  ["AND('A.admin', 'A.admin')", 'A.admin A.client', undefined],
] as const)
  test(`${dsl} is satisfied by ${names} ${expected === undefined ? 'in no order' : `in the order ${expected}`}`, (t) => {
    const list = new SignerList(signers(names));
    const order = finish(findOrder([nodeOf(dsl)], list));
    t.is(order?.map((at) => `${list.signers[at]!.mspid}.${list.signers[at]!.id}`).join(' '), expected);
    if (order !== undefined) t.true(new Evaluation(list.reordered(order)).satisfied(nodeOf(dsl)));
  });

test('an order that satisfies two policies at once is found', (t) => {
  const policies = [nodeOf("AND('A.member', 'A.admin')"), nodeOf("AND('A.member', 'A.peer')")];
  const list = new SignerList(signers('A.admin A.peer A.client'));
  const order = finish(findOrder(policies, list));
  t.is(order?.map((at) => list.signers[at]!.id)[0], 'client');
});

const repeated = (count: number, principal: string): string => `'${principal}', `.repeat(count);
const named = (count: number, name: string): string =>
  Array.from({ length: count }, (_, at) => `${name}.${at}`).join(' ');

for (const [what, policies, names] of [
  [
    'the many clients must sign before the few admins',
    [`AND(${repeated(20, 'A.member')}${repeated(9, 'A.admin')}'A.admin')`],
    `${named(10, 'A.admin')} ${named(20, 'A.client')}`,
  ],
  [
    'the few clients must sign before the many admins',
    [`AND(${repeated(10, 'A.member')}${repeated(19, 'A.admin')}'A.admin')`],
    `${named(20, 'A.admin')} ${named(10, 'A.client')}`,
  ],
  [
    'in each second of twelve organisations, the client must sign before the admin',
    Array.from({ length: 12 }, (_, at) => `AND('O${at}.member', 'O${at}.admin')`),
    Array.from({ length: 12 }, (_, at) =>
      at % 2 === 0 ? `O${at}.admin O${at}.client` : `O${at}.client O${at}.admin`,
    ).join(' '),
  ],
] as const)
  test(`of many orders, one is found: ${what}`, (t) => {
    const nodes = policies.map(nodeOf);
    const list = new SignerList(signers(names));
    t.false(nodes.every((node) => new Evaluation(list).satisfied(node)));
    const order = finish(findOrder(nodes, list));
    t.deepEqual(
      order?.toSorted((a, b) => a - b),
      [...list.signers.keys()],
    );
    const evaluation = new Evaluation(list.reordered(order!));
    t.true(nodes.every((node) => evaluation.satisfied(node)));
  });

test('a second signature of an identity is ignored', (t) => {
  const list = new SignerList(signers('A.admin A.admin B.admin A.admin.2'));
  t.deepEqual(
    list.signers.map(({ mspid, id }) => `${mspid}.${id}`),
    ['A.admin', 'B.admin', 'A.admin2'],
  );
});

/** The admins of the organisations from A1, or another one, to A12. */
const adminsFrom = (first: number): string[] =>
  Array.from({ length: 13 - first }, (_, at) => `A${at + first}.admin`);

for (const [names, needed] of [
  ['', `B.admin and (any 3 of ${adminsFrom(1).join(', ')})`],
  ['A1.admin', `B.admin and (any 2 of ${adminsFrom(2).join(', ')})`],
  ['B.admin', `any 3 of ${adminsFrom(1).join(', ')}`],
  ['A1.admin A2.admin A3.admin', 'B.admin'],
] as const)
  test(`of a policy with too many sets to list, ${names || 'nobody'} leaves: ${needed}`, (t) => {
    const quoted = adminsFrom(1).map((each) => `'${each}'`);
    const application = { policies: { P: `AND('B.admin', OutOf(3, ${quoted.join(', ')}))` } };
    t.is(describeNeed(missingOf(application, ['P'], names).need), needed);
  });

test('an implicit meta policy of an unknown rule is satisfied only while no group satisfies its policy, so signatures do not help', (t) => {
  const policy: readonly [number, Uint8Array] = [3, writeImplicitMeta({ rule: 3, subPolicy: 'Admins' })];
  const application = { groups: { Org1: organization('Org1') }, policies: { Odd: policy } };
  const { sets, policies } = missingOf(application, ['Odd'], 'Org1.admin');
  t.deepEqual(sets, []);
  t.is(describeNeed(policies[0]!.need), 'nobody can');
  const satisfied = missingOf(application, ['Odd'], '');
  t.deepEqual([satisfied.policies, satisfied.sets, satisfied.example], [[], [[]], []]);
  const { root } = createPolicies(groupOf({ groups: { Application: application } }));
  t.is(describeNeed(needOf(findPolicy(root, 'Application/Odd')!, () => true)), 'no signature required');
});

test('a policy without a rule, or with a rule for no principal, needs signatures that nobody has', (t) => {
  for (const bytes of ['', '1200', '12020801', '12040a021200'])
    t.is(
      describeNeed(needOfSignaturePolicy(readSignaturePolicy(Buffer.from(bytes, 'hex')), () => true)),
      'nobody can',
    );
});

test('one small set is found for a need with too many sets to list', (t) => {
  const names = Array.from({ length: 40 }, (_, at) => `'A${at}.admin'`).join(', ');
  const example = (dsl: string): string | undefined => {
    const set = oneSignerSet(needOf(nodeOf(dsl), () => true));
    return set && describeSet(set);
  };
  t.is(example(`OutOf(3, ${names})`), 'A0.admin and A1.admin and A2.admin');
  t.is(example(`OR(AND(${names}), AND('B.admin', 'B.admin'), 'C.admin')`), 'C.admin');
  t.is(example(`OR(AND(${names}), AND('B.admin', 'B.admin'))`), '2 × B.admin');
  t.is(example("AND('A.admin', 'A.admin', 'A.admin')"), '3 × A.admin');
  t.is(example("OutOf(2, 'A.admin')"), undefined);
  t.is(example("OutOf(0, 'A.admin')"), 'no signature required');
});
