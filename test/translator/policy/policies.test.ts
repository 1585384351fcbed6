// Setting up the policies of a channel, and finding them by path.

import test from 'ava';
import { describePolicy } from '../../../translator/documents/index.js';
import { createPolicies, findPolicy } from '../../../translator/policy/index.js';
import { GoPanic, policyAt } from '../../../translator/policy/policies.js';
import { groupOf } from '../../helpers/policy-groups.js';
import { bytesOf } from '../../helpers/wire.js';

const GARBAGE = 'proto: cannot parse invalid wire-format data';

for (const [what, type, bytes, text] of [
  [
    'wire format that is broken',
    1,
    'ff',
    `policy New at path Channel/Application did not compile: Error unmarshalling to SignaturePolicy: ${GARBAGE}`,
  ],
  [
    'version 1',
    1,
    '0801',
    'policy New at path Channel/Application did not compile: This evaluator only understands messages of version 0, but version was 1',
  ],
  ['no rule', 1, '', 'policy New at path Channel/Application did not compile: Empty policy element'],
  [
    'a rule that is empty',
    1,
    '1200',
    'policy New at path Channel/Application did not compile: Unknown type: <nil>:<nil>',
  ],
  [
    'a nested rule that is empty',
    1,
    '120412021200',
    'policy New at path Channel/Application did not compile: Unknown type: <nil>:<nil>',
  ],
  [
    'an index without a principal',
    1,
    '120208011a00',
    'policy New at path Channel/Application did not compile: identity index out of range, requested 1, but identities length is 1',
  ],
  ['an unknown type', 9, '', 'policy New at path Channel/Application has unknown policy type: 9'],
  [
    'a broken implicit meta policy',
    3,
    'ff',
    `implicit policy New at path Channel/Application did not compile: Error unmarshalling to ImplicitMetaPolicy: ${GARBAGE}`,
  ],
  [
    'an implicit meta policy whose name is not UTF-8',
    3,
    '0a01ff',
    'implicit policy New at path Channel/Application did not compile: Error unmarshalling to ImplicitMetaPolicy: proto: string field contains invalid UTF-8',
  ],
] as const)
  test(`a policy with ${what} is a problem: ${text}`, (t) => {
    const { problems, root } = createPolicies(
      groupOf({
        groups: { Application: { policies: { New: [type, bytesOf(bytes)], Old: "OR('A.peer')" } } },
      }),
    );
    t.deepEqual(problems, [{ path: '/Channel/Application/New', text }]);
    t.is(findPolicy(root, 'Application/Old')?.path, '/Channel/Application/Old');
  });

test('a policy without content is a problem', (t) => {
  t.deepEqual(createPolicies(groupOf({ policies: { New: undefined } })).problems, [
    { path: '/Channel/New', text: 'policy New at path Channel was nil' },
  ]);
});

test('an implicit meta policy over the path of a nested group is a problem: Fabric panics', (t) => {
  const { problems } = createPolicies(
    groupOf({ groups: { Application: {} }, policies: { Odd: 'ANY /Channel/Application' } }),
  );
  t.deepEqual(problems, [
    { path: '/Channel/Odd', text: 'panic: runtime error: slice bounds out of range [21:20]' },
  ]);
});

const CHANNEL = groupOf({
  groups: {
    Application: {
      groups: {
        Org1: { policies: { Admins: "OR('Org1MSP.admin')" } },
        Org2: { policies: { Admins: "OR('Org2MSP.admin')" } },
        Org3: {},
      },
      policies: {
        Admins: 'MAJORITY Admins',
        Any: 'ANY Admins',
        All: 'ALL Admins',
        None: 'ANY Nothing',
        Path: 'ANY /Channel/Application/Org2/Admins',
      },
    },
    Orderer: { policies: { Admins: "OR('O.admin')" } },
  },
  policies: { Admins: 'MAJORITY Admins' },
});
const { root } = createPolicies(CHANNEL);

for (const [path, found] of [
  ['Admins', '/Channel/Admins'],
  ['/Channel/Admins', '/Channel/Admins'],
  ['/Channel/Application/Org1/Admins', '/Channel/Application/Org1/Admins'],
  ['Application/Org1/Admins', '/Channel/Application/Org1/Admins'],
  // Fabric skips one character after the path of the group, whatever it is.
  ['/ChannelXAdmins', '/Channel/Admins'],
  ['/ChannelX/Admins', undefined],
  ['/Channel/', undefined],
  ['/Other/Admins', undefined],
  ['../Admins', undefined],
  ['', undefined],
  ['Org9/Admins', undefined],
  ['__proto__/constructor', undefined],
] as const)
  test(`the policy ${JSON.stringify(path)} of the root is ${found ?? 'missing'}`, (t) => {
    t.is(findPolicy(root, path)?.path, found);
  });

test('a policy at an absolute path is missing if there is none, or if Fabric panics on the path', (t) => {
  const at = (path: string): string | undefined => policyAt({ root, problems: [] }, path)?.path;
  t.is(at('/Channel/Application/Org1/Admins'), '/Channel/Application/Org1/Admins');
  t.is(at('/Channel/Application/Org3/Admins'), undefined);
  t.is(at('/Channel'), undefined);
});

test('the path of the group itself makes Fabric panic', (t) => {
  t.is(
    t.throws(() => findPolicy(root, '/Channel'), { instanceOf: GoPanic })?.message,
    'panic: runtime error: slice bounds out of range [9:8]',
  );
});

for (const [path, text] of [
  ['Application/Org1/Admins', "OR('Org1MSP.admin')"],
  ['Admins', 'MAJORITY Admins (2 of Application, Orderer)'],
  ['Application/Admins', 'MAJORITY Admins (2 of Org1, Org2; not in Org3)'],
  ['Application/Any', 'ANY Admins (1 of Org1, Org2; not in Org3)'],
  ['Application/All', 'ALL Admins (3 of 3; not in Org3: nobody can)'],
  ['Application/None', 'ANY Nothing (1 of 3; not in Org1, Org2, Org3: nobody can)'],
  ['Application/Path', 'ANY /Channel/Application/Org2/Admins (1 of Org2; not in Org1, Org3)'],
] as const)
  test(`${path} is described as ${text}`, (t) => {
    t.is(describePolicy(findPolicy(root, path)!), text);
  });

test('an implicit meta policy without groups is described with its meaning', (t) => {
  const policies = createPolicies(groupOf({ policies: { Admins: 'ANY Admins' } }));
  t.is(describePolicy(findPolicy(policies.root, 'Admins')!), 'ANY Admins (no groups: no signature required)');
});

test('if there are many groups, twelve are named', (t) => {
  const groups = Object.fromEntries(
    Array.from({ length: 250 }, (_, at) => [`Org${at}`, { policies: { Admins: `OR('Org${at}.admin')` } }]),
  );
  const policies = createPolicies(groupOf({ groups, policies: { Admins: 'MAJORITY Admins' } }));
  t.is(
    describePolicy(findPolicy(policies.root, 'Admins')!),
    'MAJORITY Admins (126 of Org0, Org1, Org2, Org3, Org4, Org5, Org6, Org7, Org8, Org9, Org10, Org11 and 238 more)',
  );
});

test('a signature policy of two configs is read once', (t) => {
  const group = groupOf({ policies: { P: "OR('A.admin')" } });
  const [one, other] = [createPolicies(group), createPolicies(group)].map((policies) =>
    findPolicy(policies.root, 'P'),
  );
  if (one?.kind !== 'signature' || other?.kind !== 'signature') throw new Error('no signature policy');
  t.is(one.policy, other.policy);
});
