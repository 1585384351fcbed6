// Organisations and people in words: by their MSP ids, or as people call them.

import test from 'ava';
import type { ControlSet, Gainers } from '../../../translator/control/index.js';
import {
  controlSetText,
  controlText,
  gainersText,
  mspNames,
  gainerNamesText,
} from '../../../translator/documents/control.js';
import { writeSerializedIdentity, type Principal } from '../../../translator/msp/index.js';
import type { MemberSet } from '../../../translator/policy/index.js';

type Role = Extract<Principal, { kind: 'role' }>['role'];
const NAMES = mspNames(['Org1', 'Org2', 'Org3'].map((name) => ({ name, mspId: `${name}MSP` })));

/** A set of persons: `Org1MSP.admin`, or a principal. */
const persons = (...all: readonly (`${string}.${Role}` | Principal)[]): Gainers => ({
  kind: 'persons',
  set: all.map((each) => {
    if (typeof each !== 'string') return { key: JSON.stringify(each), principal: each };
    const [mspid, role] = each.split('.') as [string, Role];
    return { key: each, principal: { kind: 'role', mspid, role } };
  }),
});
const organizations = (...of: readonly string[]): Gainers => ({
  kind: 'organizations',
  set: [{ count: of.length, of }],
});
const CERTIFICATE: Principal = {
  kind: 'identity',
  identity: writeSerializedIdentity('Org2MSP', new Uint8Array([1])),
};

const CASES: readonly (readonly [sets: readonly Gainers[], people: string])[] = [
  [[persons('Org1MSP.admin')], 'Org1'],
  [[persons('Org1MSP.admin'), persons('Org2MSP.admin')], 'Org1 or Org2'],
  [[persons('Org1MSP.admin', 'Org2MSP.admin')], 'Org1 and Org2'],
  [[persons('Org1MSP.admin', 'Org1MSP.admin')], '2 admins of Org1'],
  [[persons('Org1MSP.member')], 'a member of Org1'],
  [[persons('Org1MSP.peer'), persons('Org2MSP.orderer')], 'a peer of Org1 or an orderer of Org2'],
  [[persons('Org1MSP.client', 'Org1MSP.client')], '2 clients of Org1'],
  [[persons('Org1MSP.admin'), persons('Org2MSP.member')], 'an admin of Org1 or a member of Org2'],
  [[persons('Org1MSP.admin', CERTIFICATE)], 'an admin of Org1 and one certificate of Org2MSP'],
  [
    [persons({ kind: 'ou', mspid: 'Org1MSP', unit: 'sales', certifiersIdentifier: new Uint8Array([1]) })],
    'OU sales of Org1MSP with the certifiers 01',
  ],
  [[organizations('Org1MSP', 'Org3MSP')], 'Org1 and Org3'],
  [[persons('NewMSP.admin')], 'NewMSP'],
];

for (const [sets, people] of CASES)
  test(`${gainersText(sets)} in the words of users: ${people}`, (t) => {
    t.is(gainerNamesText(sets, NAMES), people);
  });

for (const [what, all, expected] of [
  ['an organisation has the name of its group', ['Org1=Org1MSP'], ['Org1']],
  ['an organisation in two sections has its name once', ['Org1=Org1MSP', 'Org1=Org1MSP'], ['Org1']],
  ['an MSP of two groups with different names is called by its id', ['Org1=M', 'Orderer1=M'], ['M']],
  ['a name of two organisations is the name of neither', ['Org1=A', 'Org1=B'], ['A', 'B']],
  ['the MSP id of another organisation is not a name', ['B=A', 'Org2=B'], ['A', 'Org2']],
  ['the name of a group without an MSP is not the name of another one', ['Org1=A', 'Org1='], ['A']],
] as const)
  test(`names of organisations: ${what}`, (t) => {
    const names = mspNames(
      all.map((each) => {
        const [name = '', mspId] = each.split('=');
        return { name, mspId: mspId || undefined };
      }),
    );
    t.deepEqual([...names.values()], [...expected]);
  });

test('sets in control have the names of organisations, sorted by them', (t) => {
  const names = mspNames([
    { name: 'zoo', mspId: 'A' },
    { name: 'ant', mspId: 'B' },
    { name: 'two words', mspId: 'C' },
  ]);
  const sets = [[{ count: 1, of: ['A', 'B'] }], [{ count: 1, of: ['C'] }]];
  t.is(controlText(sets, names), 'any of ant, zoo, or "two words"');
  t.is(controlText(sets), 'any of A, B, or C');
});

const set = (...parts: readonly (readonly [count: number, ...of: readonly string[]])[]): ControlSet =>
  parts.map(([count, ...of]) => ({ count, of }));
const ADMIN: MemberSet = [{ principal: { kind: 'role', mspid: 'A', role: 'admin' }, key: 'a' }];

for (const [sets, text] of [
  [[], 'nobody'],
  [[[]], 'anybody'],
  [[set([1, 'A'])], 'A'],
  [[set([2, 'B', 'A'])], 'A and B'],
  [[set([1, 'A', 'B'])], 'any of A, B'],
  [[set([2, 'C', 'A', 'B'])], 'any 2 of A, B, C'],
  [[set([1, 'A'], [2, 'B', 'C', 'D'])], 'A and any 2 of B, C, D'],
  [[set([1, 'A']), set([2, 'B', 'C'])], 'A, or B and C'],
  [[set([1, 'A']), []], 'anybody'],
  [[set([1, 'a b'])], '"a b"'],
] as const)
  test(`the sets ${JSON.stringify(sets)} in words: ${text}`, (t) => {
    t.is(controlText(sets), text);
  });

test('gainers of control are organisations or people, each once', (t) => {
  const organisation = { kind: 'organizations', set: set([1, 'B']) } as const;
  t.is(
    gainersText([{ kind: 'persons', set: ADMIN }, organisation, organisation] as Parameters<
      typeof gainersText
    >[0]),
    'A.admin or B',
  );
  t.is(controlSetText(set([2, 'B', 'C'])), 'B and C');
});

/** Sets of single organisations: `A+B, A+C`. */
const singles = (text: string): ControlSet[] =>
  text.split(', ').map((names) => names.split('+').map((mspid) => ({ count: 1, of: [mspid] })));

for (const [sets, text] of [
  ['A', 'A'],
  ['A, B', 'A, or B'],
  ['A+B', 'A and B'],
  ['A+B, A+C, B+C', 'any 2 of A, B, C'],
  ['A+B, A+C', 'A and any of B, C'],
  ['O+A+B, O+A+C, O+B+C', 'O and any 2 of A, B, C'],
  ['A+B, A+C, B+D', 'A and B, or A and C, or B and D'],
  ['A, B+C', 'A, or B and C'],
] as const)
  test(`sets of organisations in few words: ${sets} is ${text}`, (t) => {
    t.is(controlText(singles(sets)), text);
  });
