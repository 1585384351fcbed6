// Who controls the elements of small channels in the end.

import test from 'ava';
import { controlSetText } from '../../../translator/documents/control.js';
import { controlOf } from '../../../translator/control/index.js';
import { organization, smallState, usualChannel, type SmallGroup } from '../../helpers/small-channel.js';

/** Who controls an element, in words. */
async function controllers(spec: SmallGroup, key: string): Promise<string> {
  const { sets, unsearched } = await controlOf(smallState(spec));
  const found = sets
    .get(key)!
    .map((set) => controlSetText(set))
    .toSorted();
  return [...found, ...(unsearched > 0 ? [`${unsearched} not searched`] : [])].join(' or ');
}

const { policies, groups } = usualChannel('A', 'B', 'C');
const application = groups!.Application!;
const ordererGroup = groups!.Orderer!;
const withApplication = (change: Partial<SmallGroup>): SmallGroup => ({
  policies,
  groups: { Orderer: ordererGroup, Application: { ...application, ...change } },
});
const withOrderer = (change: Partial<SmallGroup>): SmallGroup => ({
  policies,
  groups: { Application: application, Orderer: { ...ordererGroup, ...change } },
});
const APPLICATION = '[Group]  /Channel/Application';
const BATCH_SIZE = '[Value]  /Channel/Orderer/BatchSize';

interface Case {
  readonly title: string;
  readonly spec: SmallGroup;
  readonly key: string;
  readonly by: string;
}

const CASES: readonly Case[] = [
  {
    title: 'a majority',
    spec: usualChannel('A', 'B', 'C'),
    key: APPLICATION,
    by: 'A and B or A and C or B and C',
  },
  {
    title: 'a majority of sections',
    spec: usualChannel('A'),
    key: '[Group]  /Channel',
    by: 'A and O',
  },
  {
    title: 'an organisation, and who controls the group that it is in',
    spec: usualChannel('A', 'B', 'C'),
    key: '[Value]  /Channel/Application/A/MSP',
    by: 'A or B and C',
  },
  {
    title: 'a group of organisations that are all counted twice',
    spec: withApplication({ groups: { A: organization('A'), A2: organization('A'), B: organization('B') } }),
    key: APPLICATION,
    by: 'A',
  },
  {
    title: 'a value whose policy another organisation can change',
    spec: withOrderer({
      policies: { Admins: 'MAJORITY Admins', Ops: "OR('O.admin') @ /Channel/Application/A/Admins" },
      values: { BatchSize: 'Ops' },
    }),
    key: BATCH_SIZE,
    by: 'A or B and C or O',
  },
  {
    title: 'a chain of policies',
    spec: withOrderer({
      policies: {
        Admins: 'MAJORITY Admins',
        One: "OR('O.admin') @ Two",
        Two: "OR('O.admin') @ Three",
        Three: "OR('O.admin') @ /Channel/Application/A/Admins",
      },
      values: { BatchSize: 'One' },
    }),
    key: BATCH_SIZE,
    by: 'A or B and C or O',
  },
  {
    title: 'policies that decide about each other',
    spec: withOrderer({
      policies: {
        Admins: 'MAJORITY Admins @ Admins',
        One: "AND('O.admin', 'A.admin') @ Two",
        Two: "AND('O.admin', 'A.admin') @ One",
      },
      modPolicy: 'One',
      values: { BatchSize: 'Two' },
    }),
    key: BATCH_SIZE,
    by: 'A and O or B and C and O',
  },
  {
    title: 'the policy of an MSP that another organisation can change',
    spec: withApplication({
      groups: {
        A: organization('A'),
        B: { ...organization('B'), mspModPolicy: '/Channel/Application/A/Admins' },
        C: organization('C'),
      },
    }),
    key: APPLICATION,
    by: 'A or B and C',
  },
  {
    title: 'an MSP of two groups, which change together',
    spec: {
      policies,
      groups: {
        Application: application,
        Orderer: {
          ...ordererGroup,
          groups: {
            O: organization('O'),
            A: { ...organization('A'), mspModPolicy: '/Channel/Orderer/O/Admins' },
          },
        },
      },
    },
    key: '[Policy] /Channel/Application/A/Admins',
    by: 'A or B and C',
  },
  {
    title: 'an MSP id that nobody has, for those who can add organisations',
    spec: withOrderer({
      policies: { Admins: 'MAJORITY Admins', Ops: "OR('X.admin')" },
      values: { BatchSize: 'Ops' },
    }),
    key: BATCH_SIZE,
    by: 'A and B or A and C or B and C or O',
  },
  {
    title: 'nobody: the mod_policy names no policy',
    spec: withOrderer({ values: { BatchSize: 'Missing' } }),
    key: BATCH_SIZE,
    by: '',
  },
  {
    title: 'a required value is not controlled through its group',
    spec: withOrderer({ values: { BatchSize: '/Channel/Admins' } }),
    key: BATCH_SIZE,
    by: 'A and B and O or A and C and O or B and C and O',
  },
  {
    title: 'other values are controlled through their group',
    spec: withApplication({ values: { Capabilities: '/Channel/Admins' } }),
    key: '[Value]  /Channel/Application/Capabilities',
    by: 'A and B or A and C or B and C',
  },
  {
    title: 'anybody, without organisations',
    spec: withApplication({ groups: {} }),
    key: APPLICATION,
    by: '',
  },
];

for (const { title, spec, key, by } of CASES)
  test(`${title}: ${key.trim()} is controlled by ${by === '' ? 'the empty set or nobody' : by}`, async (t) => {
    t.is(await controllers(spec, key), by);
  });

test('of many alike organisations the number counts', async (t) => {
  const many = Array.from({ length: 50 }, (_, index) => `Org${index}`);
  const { sets, unsearched } = await controlOf(smallState(usualChannel(...many)));
  t.is(unsearched, 0);
  t.deepEqual(sets.get(APPLICATION), [[{ count: 26, of: many }]]);
  t.deepEqual(
    sets
      .get('[Group]  /Channel/Application/Org7')!
      .map((set) => set.map(({ count, of }) => [count, of.length])),
    [[[1, 1]], [[26, 50]]],
  );
});

test('sets that are not checked are counted', async (t) => {
  const names = Array.from({ length: 40 }, (_, index) => `Org${index}`);
  const usual = usualChannel(...names);
  // Each of them is named by a policy of another one, so none is like another.
  const entries = names.map((name, index) => {
    const other = names[(index + 1) % names.length]!;
    const { policies: own, ...rest } = organization(name);
    return [name, { ...rest, policies: { ...own, Helpers: `OR('${other}.admin')` } }] as const;
  });
  const { unsearched } = await controlOf(
    smallState({
      ...usual,
      groups: {
        ...usual.groups,
        Application: { ...usual.groups!.Application!, groups: Object.fromEntries(entries) },
      },
    }),
  );
  t.true(unsearched > 1000);
});
