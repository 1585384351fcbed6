// Who gains control by an update of a small channel.

import test from 'ava';
import { gainersText } from '../../../translator/documents/control.js';
import { findGains } from '../../../translator/control/index.js';
import { majorityChanges } from '../../../translator/state/index.js';
import { majorityLines } from '../../../translator/documents/majorities.js';
import { organization, smallState, usualChannel, type SmallGroup } from '../../helpers/small-channel.js';

/** Who gains, about what, and in which steps. */
async function gainsOf(before: SmallGroup, after: SmallGroup): Promise<string[]> {
  const { gains, notCompared, unsearched } = await findGains(
    smallState(before),
    smallState(after),
    new Set(),
  );
  return [
    ...gains.map(({ by, about, steps }) => {
      const chain = steps.map(({ element, policy }) => `${element} by ${policy}`).join(', ');
      return `${gainersText(by)}: ${about.path}${chain === '' ? '' : ` (${chain})`}`;
    }),
    ...notCompared.map(({ path }) => `not compared: ${path}`),
    ...(unsearched > 0 ? [`${unsearched} not compared`] : []),
  ];
}

/** The usual channel of organisations with another Application group, or another Orderer group. */
const changed = (
  msps: readonly string[],
  { application, orderer }: { application?: Partial<SmallGroup>; orderer?: Partial<SmallGroup> },
): SmallGroup => {
  const usual = usualChannel(...msps);
  const [app, ord] = [usual.groups!.Application!, usual.groups!.Orderer!];
  return { ...usual, groups: { Application: { ...app, ...application }, Orderer: { ...ord, ...orderer } } };
};
const groupsOf = (...msps: readonly string[]): Record<string, SmallGroup> =>
  Object.fromEntries(msps.map((msp) => [msp, organization(msp)]));
const { policies: APPLICATION } = usualChannel('A').groups!.Application!;

interface Case {
  readonly title: string;
  readonly before: SmallGroup;
  readonly after: SmallGroup;
  readonly gains: readonly string[];
}

const CASES: readonly Case[] = [
  {
    title: 'a copy of one of two organisations',
    before: usualChannel('A', 'B'),
    after: changed(['A', 'B'], { application: { groups: { ...groupsOf('A', 'B'), A2: organization('A') } } }),
    gains: ['A.admin: /Channel/Application (/Channel/Application by /Channel/Application/Admins)'],
  },
  {
    title: 'a new organisation with the policies of another one',
    before: usualChannel('A', 'B'),
    after: changed(['A', 'B'], {
      application: { groups: { ...groupsOf('A', 'B'), C: { ...organization('A'), msp: 'C' } } },
    }),
    gains: ['A.admin: /Channel/Application (/Channel/Application by /Channel/Application/Admins)'],
  },
  {
    title: 'a policy of equal strength that another organisation may change',
    before: usualChannel('A', 'B'),
    after: changed(['A', 'B'], {
      orderer: {
        policies: { Admins: 'MAJORITY Admins', Ops: "OR('O.admin') @ /Channel/Application/A/Admins" },
        values: { BatchSize: 'Ops' },
      },
    }),
    gains: [
      'A.admin: /Channel/Orderer/BatchSize (/Channel/Orderer/Ops by /Channel/Application/A/Admins, /Channel/Orderer/BatchSize by /Channel/Orderer/Ops)',
    ],
  },
  {
    title: 'a new value that every member may change',
    before: usualChannel('A', 'B'),
    after: changed(['A', 'B'], { application: { values: { Capabilities: 'Admins', ACLs: 'Readers' } } }),
    gains: [
      'A.admin or B.admin: /Channel/Application/ACLs (/Channel/Application/ACLs by /Channel/Application/Readers)',
    ],
  },
  {
    title: 'LifecycleEndorsement that one organisation satisfies',
    before: usualChannel('A', 'B'),
    after: changed(['A', 'B'], {
      application: { policies: { ...APPLICATION, LifecycleEndorsement: 'ANY Endorsement' } },
    }),
    gains: ['A.peer or B.peer: /Channel/Application/LifecycleEndorsement'],
  },
  {
    title: 'LifecycleEndorsement that one organisation satisfies, and a policy that anybody satisfies',
    before: usualChannel('A', 'B', 'C'),
    after: changed(['A', 'B', 'C'], {
      application: {
        policies: { ...APPLICATION, LifecycleEndorsement: 'ANY Endorsement' },
        groups: {
          ...groupsOf('B', 'C'),
          A: { ...organization('A'), policies: { ...organization('A').policies, Admins: 'ALL Admins' } },
        },
      },
    }),
    gains: [
      'A.peer or B.peer or C.peer: /Channel/Application/LifecycleEndorsement',
      'B or C: /Channel/Application (/Channel/Application by /Channel/Application/Admins)',
    ],
  },
  {
    title: 'one person satisfies a policy, and two others do',
    before: changed(['A', 'B', 'C', 'D'], {
      orderer: {
        policies: { Admins: 'MAJORITY Admins', Ops: "OR('A.admin')" },
        values: { BatchSize: 'Ops' },
      },
    }),
    after: changed(['A', 'B', 'C', 'D'], {
      orderer: {
        policies: { Admins: 'MAJORITY Admins', Ops: "OR('A.admin', 'B.admin', AND('C.admin', 'D.admin'))" },
        values: { BatchSize: 'Ops' },
      },
    }),
    gains: ['B.admin or C.admin and D.admin: /Channel/Orderer/Ops'],
  },
  {
    title: 'one part of the channel that anybody can change decides about another one',
    before: usualChannel('A', 'B'),
    after: changed(['A', 'B'], {
      application: { modPolicy: 'Free', policies: { ...APPLICATION, Free: "OutOf(0, 'A.admin')" } },
      orderer: { policies: { Admins: 'ANY Admins @ /Channel/Application/Admins' } },
    }),
    gains: [
      'anybody: /Channel/Orderer/Admins (/Channel/Application by /Channel/Application/Free, /Channel/Orderer/Admins by /Channel/Application/Admins)',
      'A.admin and B.admin: /Channel/Orderer/Admins (/Channel/Orderer/Admins by /Channel/Application/Admins)',
    ],
  },
  {
    title: 'one signature where two of an organisation were needed',
    before: changed(['A'], {
      application: {
        groups: { A: { ...organization('A'), policies: { Admins: "AND('A.admin', 'A.admin')" } } },
      },
    }),
    after: changed(['A'], {
      application: { groups: { A: { ...organization('A'), policies: { Admins: "OR('A.admin')" } } } },
    }),
    gains: ['A.admin: /Channel/Application/A/Admins'],
  },
  {
    title: 'control over the group of another organisation',
    before: usualChannel('A', 'B', 'C'),
    after: changed(['A', 'B', 'C'], {
      application: {
        groups: {
          ...groupsOf('A', 'B', 'C'),
          B: { ...organization('B'), modPolicy: '/Channel/Application/A/Admins' },
        },
      },
    }),
    gains: ['A.admin: /Channel/Application/B (/Channel/Application/B by /Channel/Application/A/Admins)'],
  },
  {
    title: 'all organisations of a group are replaced',
    before: usualChannel('A', 'B'),
    after: changed(['A', 'B'], { orderer: { groups: groupsOf('P') } }),
    gains: ['P: /Channel/Orderer (/Channel/Orderer by /Channel/Orderer/Admins)'],
  },
  {
    title: 'an organisation that is counted twice rules alone when another one goes',
    before: changed(['A'], {
      application: { groups: { ...groupsOf('A', 'B', 'C'), A2: organization('A') } },
    }),
    after: changed(['A'], { application: { groups: { ...groupsOf('A', 'B'), A2: organization('A') } } }),
    gains: ['A: /Channel/Application (/Channel/Application by /Channel/Application/Admins)'],
  },
  { title: 'an organisation joins one', before: usualChannel('A'), after: usualChannel('A', 'B'), gains: [] },
  {
    title: 'an organisation joins two',
    before: usualChannel('A', 'B'),
    after: usualChannel('A', 'B', 'C'),
    gains: [],
  },
  {
    title: 'three organisations join two',
    before: usualChannel('A', 'B'),
    after: usualChannel('A', 'B', 'C', 'D', 'E'),
    gains: [],
  },
  {
    title: 'one of four organisations goes',
    before: usualChannel('A', 'B', 'C', 'D'),
    after: usualChannel('A', 'B', 'C'),
    gains: [],
  },
  {
    title: 'one of two organisations goes',
    before: usualChannel('A', 'B'),
    after: usualChannel('A'),
    gains: [],
  },
  {
    title: 'one of three organisations is replaced',
    before: usualChannel('A', 'B', 'C'),
    after: usualChannel('A', 'B', 'D'),
    gains: [],
  },
  {
    title: 'an orderer organisation joins',
    before: usualChannel('A', 'B'),
    after: changed(['A', 'B'], { orderer: { groups: groupsOf('O', 'P') } }),
    gains: [],
  },
  {
    title: 'an organisation gets a policy of its own',
    before: usualChannel('A', 'B'),
    after: changed(['A', 'B'], {
      application: {
        groups: {
          ...groupsOf('A'),
          B: { ...organization('B'), policies: { ...organization('B').policies, Ops: "OR('B.admin')" } },
        },
      },
    }),
    gains: [],
  },
  {
    title: 'a stronger policy',
    before: usualChannel('A', 'B', 'C'),
    after: changed(['A', 'B', 'C'], { application: { policies: { ...APPLICATION, Admins: 'ALL Admins' } } }),
    gains: [],
  },
];

for (const { title, before, after, gains } of CASES)
  test(`${title}: ${gains.length === 0 ? 'nobody gains' : gains.join('; ')}`, async (t) => {
    t.deepEqual(await gainsOf(before, after), gains);
  });

test('a channel of many organisations: one joins, one goes, and many copies of one', async (t) => {
  const many = Array.from({ length: 60 }, (_, index) => `Org${index}`);
  t.deepEqual(await gainsOf(usualChannel(...many), usualChannel(...many, 'New')), []);
  t.deepEqual(await gainsOf(usualChannel(...many), usualChannel(...many.slice(1))), []);
  const copies = Object.fromEntries(
    Array.from({ length: 70 }, (_, index) => [`Copy${index}`, organization('Org0')]),
  );
  t.deepEqual(
    await gainsOf(
      usualChannel(...many),
      changed(many, { application: { groups: { ...groupsOf(...many), ...copies } } }),
    ),
    ['Org0.admin: /Channel/Application (/Channel/Application by /Channel/Application/Admins)'],
  );
});

for (const [before, after, lines] of [
  [
    ['A', 'B', 'C'],
    ['A', 'B', 'C', 'D'],
    ['Application/Admins, Application/LifecycleEndorsement: 2 of 3 becomes 3 of 4'],
  ],
  [
    ['A'],
    ['A', 'B'],
    [
      'Application/Admins, Application/LifecycleEndorsement: 1 of 1 becomes 2 of 2; each of the 2 can refuse alone',
    ],
  ],
  [
    ['A', 'B'],
    ['A'],
    [
      'Application/Admins, Application/LifecycleEndorsement: 2 of 2 becomes 1 of 1; the one that stays decides alone',
    ],
  ],
  [['A', 'B'], ['A', 'B'], []],
] as const)
  test(`from ${before.join(', ')} to ${after.join(', ')}, the majorities that change are: ${lines.join()}`, (t) => {
    const [was, is] = [smallState(usualChannel(...before)), smallState(usualChannel(...after))];
    t.deepEqual(majorityLines(majorityChanges(was, is)), [...lines]);
  });

const adminsOf = (count: number, needed: number): string => {
  const names = Array.from({ length: count }, (_, index) => `'Org${index}.admin'`);
  return `OutOf(${needed}, ${names.join(', ')})`;
};

for (const [count, needed, compared] of [
  [12, 4, true],
  [14, 4, false],
] as const)
  test(`a policy of ${needed} of ${count} persons is ${compared ? 'compared' : 'not compared, because it has more than 1000 combinations'}`, async (t) => {
    const names = Array.from({ length: count }, (_, index) => `Org${index}`);
    const withOps = (of: number): SmallGroup =>
      changed(names, {
        orderer: {
          policies: { Admins: 'MAJORITY Admins', Ops: adminsOf(count, of) },
          values: { BatchSize: 'Ops' },
        },
      });
    const found = await gainsOf(withOps(count), withOps(needed));
    t.is(found.includes('not compared: /Channel/Orderer/Ops'), !compared, found.join('\n'));
    t.true(found.some((each) => each.includes(': /Channel/Orderer/Ops')));
  });
