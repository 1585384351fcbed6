// Capabilities, ACLs, policies and mod_policies.

import test from 'ava';
import { channelOf, makeGroup, makePolicy, type Config } from '../../../translator/channel/index.js';
import {
  changeGroup,
  editAll,
  editAnchorPeers,
  removeAcl,
  removePolicy,
  setAcl,
  setByPath,
  setCapabilities,
  setEndpoints,
  setModPolicy,
  setPolicy,
  withValue,
  type Edited,
} from '../../../translator/edit/index.js';
import { policyText } from '../../../translator/documents/index.js';
import { applyEdit, groupOf, CONFIG, refused, withGroupOf } from '../../helpers/edits.js';

/** The channel with global addresses and no endpoints, as before Fabric 1.4.2. */
const withGlobal = (...addresses: string[]): Config =>
  editAll(CONFIG, [
    (config) => setByPath(config, 'channel.ordererAddresses', JSON.stringify(addresses)),
    (config) => setByPath(config, 'orderer.orderer.endpoints', '[]'),
  ]).config;

test('capabilities are replaced', (t) => {
  const edited = setCapabilities(CONFIG, 'application', ['V2_0', 'V1_4_2']);
  t.deepEqual(edited.notes, ['/Channel/Application/Capabilities: V2_5 -> V1_4_2, V2_0']);
  const { config, changes } = applyEdit(t, CONFIG, edited);
  t.deepEqual(changes, ['modified value /Channel/Application/Capabilities']);
  t.deepEqual([...channelOf(config).application.capabilities], ['V1_4_2', 'V2_0']);
});

test('V3_0 moves the global addresses to the organisation without endpoints', (t) => {
  const before = withGlobal('a:1', 'b:2');
  const edited = setCapabilities(before, 'channel', ['V3_0']);
  t.deepEqual(edited.notes, [
    '/Channel/Capabilities: V2_0 -> V3_0',
    'a:1, b:2 moved to the endpoints of /Channel/Orderer/orderer',
    '/Channel/OrdererAddresses removed: V3_0 does not allow it',
  ]);
  const { config, changes } = applyEdit(t, before, edited);
  const channel = channelOf(config);
  t.deepEqual([channel.ordererAddresses, channel.orderer.organizations[0]!.endpoints], [[], ['a:1', 'b:2']]);
  t.deepEqual(changes, [
    'modified group /Channel',
    'modified value /Channel/Capabilities',
    'modified value /Channel/Orderer/orderer/Endpoints',
    'removed value /Channel/OrdererAddresses',
  ]);
});

/** The channel with a second orderer organisation, which has no endpoints. */
const withSecond = (config: Config): Config =>
  withGroupOf(config, 'Orderer', ({ groups }) => ({
    groups: new Map([...groups, ['second', groupOf(CONFIG, 'Application', 'full')]]),
  }));

test('V3_0 moves the addresses that are no endpoints to the one organisation without endpoints', (t) => {
  const before = withSecond(setEndpoints(withGlobal('a:1', 'b:2'), 'orderer', ['a:1']).config);
  const { config, notes } = setCapabilities(before, 'channel', ['V3_0', 'V3_0']);
  t.deepEqual(notes, [
    '/Channel/Capabilities: V2_0 -> V3_0',
    'b:2 moved to the endpoints of /Channel/Orderer/second',
    '/Channel/OrdererAddresses removed: V3_0 does not allow it',
  ]);
  t.deepEqual(
    channelOf(config).orderer.organizations.map(({ name, endpoints }) => [name, endpoints]),
    [
      ['orderer', ['a:1']],
      ['second', ['b:2']],
    ],
  );
});

test('V3_0 without global addresses changes nothing else, and V3_0 of another group has no endpoints', (t) => {
  t.deepEqual(setCapabilities(CONFIG, 'channel', ['V3_0']).notes, ['/Channel/Capabilities: V2_0 -> V3_0']);
  const none = setByPath(CONFIG, 'application.capabilities', '{"capabilities":{}}').config;
  t.deepEqual(setCapabilities(none, 'application', ['V2_0']).notes, [
    '/Channel/Application/Capabilities: none -> V2_0',
  ]);
});

test('V3_0 removes global addresses that are endpoints, and reports the others', (t) => {
  const before = setEndpoints(withGlobal('a:1', 'b:2'), 'orderer', ['a:1']).config;
  t.deepEqual(setCapabilities(before, 'channel', ['V3_0']).notes.slice(1), [
    'b:2 removed: no organisation has this endpoint',
    '/Channel/OrdererAddresses removed: V3_0 does not allow it',
  ]);
});

test('ACLs are added, changed and removed; the others keep their place', (t) => {
  const first = applyEdit(t, CONFIG, setAcl(CONFIG, 'peer/Propose', 'Writers'));
  t.deepEqual(first.changes, ['modified group /Channel/Application', 'new value /Channel/Application/ACLs']);
  const edited = setAcl(first.config, 'event/Block', '/Channel/Application/Readers');
  t.deepEqual(edited.notes, ['ACL event/Block: the default of the peers -> /Channel/Application/Readers']);
  const second = applyEdit(t, first.config, edited);
  const third = setAcl(second.config, 'peer/Propose', 'Admins');
  t.deepEqual(third.notes, ['ACL peer/Propose: Writers -> Admins']);
  const { config } = applyEdit(t, second.config, third);
  t.deepEqual(
    [...channelOf(config).application.acls],
    [
      ['event/Block', '/Channel/Application/Readers'],
      ['peer/Propose', 'Admins'],
    ],
  );
  const removed = applyEdit(t, config, removeAcl(config, 'peer/Propose'));
  t.deepEqual([...channelOf(removed.config).application.acls.keys()], ['event/Block']);
});

const POLICIES: readonly (readonly [
  path: string,
  text: string,
  group: string[],
  name: string,
  note: string,
])[] = [
  [
    'Application/Endorsement',
    'ANY Endorsement',
    ['Application'],
    'Endorsement',
    'MAJORITY Endorsement -> ANY Endorsement',
  ],
  [
    '/Channel/Application/Endorsement',
    'ANY Endorsement',
    ['Application'],
    'Endorsement',
    'MAJORITY Endorsement -> ANY Endorsement',
  ],
  [
    'application.endorsement',
    'ANY Endorsement',
    ['Application'],
    'Endorsement',
    'MAJORITY Endorsement -> ANY Endorsement',
  ],
  ['Admins', 'ALL Admins', [], 'Admins', 'MAJORITY Admins -> ALL Admins'],
  [
    'plain/Admins',
    "OutOf(1, 'PlainMSP.admin')",
    ['Application', 'plain'],
    'Admins',
    "OR('PlainMSP.admin') -> OR('PlainMSP.admin')",
  ],
  [
    'Application/New',
    "AND('UnitsMSP.peer', 'FullMSP.peer')",
    ['Application'],
    'New',
    "new AND('UnitsMSP.peer', 'FullMSP.peer')",
  ],
];

for (const [path, text, group, name, note] of POLICIES)
  test(`policy set ${path} "${text}": ${note}`, (t) => {
    const edited = setPolicy(CONFIG, path, text);
    t.deepEqual(edited.notes, [`policy /${['Channel', ...group, name].join('/')}: ${note}`]);
    const policy = groupOf(edited.config, ...group).policies.get(name)!;
    t.is(policy.modPolicy, 'Admins');
    t.is(policyText(policy.policy), note.replace(/^.*-> |^new /, ''));
    if (!note.startsWith('OR')) applyEdit(t, CONFIG, edited);
  });

test('a policy is removed', (t) => {
  const { changes } = applyEdit(t, CONFIG, removePolicy(CONFIG, 'application.LifecycleEndorsement'));
  t.deepEqual(changes, [
    'modified group /Channel/Application',
    'removed policy /Channel/Application/LifecycleEndorsement',
  ]);
});

test('a policy that cannot be printed is replaced', (t) => {
  for (const policy of [
    undefined,
    { type: 1, value: Uint8Array.of(0xff) },
    { type: 2, value: Uint8Array.of() },
  ]) {
    const before = withGroupOf(CONFIG, 'Orderer', ({ policies }) => ({
      policies: new Map(policies).set('Admins', makePolicy({ policy })),
    }));
    t.deepEqual(setPolicy(before, 'Orderer/Admins', 'ANY Admins').notes, [
      'policy /Channel/Orderer/Admins: a policy that cannot be printed -> ANY Admins',
    ]);
  }
});

const MOD_POLICIES: readonly (readonly [path: string, policy: string, changes: string[]])[] = [
  ['Orderer/BatchSize', '/Channel/Orderer/Writers', ['modified value /Channel/Orderer/BatchSize']],
  ['orderer', '/Channel/Orderer/Admins', ['modified group /Channel/Orderer']],
  ['application.units.policies.Admins', 'Readers', ['modified policy /Channel/Application/units/Admins']],
  ['application.units', 'Writers', ['modified group /Channel/Application/units']],
];

for (const [path, policy, changes] of MOD_POLICIES)
  test(`mod-policy set ${path} ${policy}`, (t) => {
    const result: Edited = setModPolicy(CONFIG, path, policy);
    t.deepEqual(result.notes, [`mod_policy of ${changes[0]!.replace(/^\w+ \w+ /, '')}: Admins -> ${policy}`]);
    t.deepEqual(applyEdit(t, CONFIG, result).changes, changes);
  });

const ERRORS: readonly (readonly [what: string, edit: () => unknown, message: string, code?: string])[] = [
  [
    'an unknown capability',
    () => setCapabilities(CONFIG, 'channel', ['V2_5']),
    'unknown channel capability "V2_5"; Fabric 3.0 knows V1_1, V1_3, V1_4_2, V1_4_3, V2_0, V3_0',
  ],
  [
    'the same capability',
    () => setCapabilities(CONFIG, 'orderer', ['V2_0']),
    '/Channel/Orderer/Capabilities is V2_0 already',
  ],
  [
    'V3_0 with two organisations without endpoints',
    () => setCapabilities(withSecond(withGlobal('a:1')), 'channel', ['V3_0']),
    'V3_0 requires endpoints, and orderer, second have none: set the endpoints first, in the same update',
  ],
  [
    'capabilities of a group that the channel does not have',
    () => setCapabilities({ ...CONFIG, channelGroup: makeGroup({}) }, 'orderer', ['V2_0']),
    '/Channel has no group "Orderer"; none is allowed here',
  ],
  [
    'a policy in a value',
    () => setPolicy(CONFIG, 'Orderer/BatchSize/Admins', 'ANY Admins'),
    '/Channel/Orderer/BatchSize is a value, a group is needed',
  ],
  [
    'a policy in a mod_policy',
    () => setPolicy(CONFIG, 'Orderer/mod_policy/Admins', 'ANY Admins'),
    'the mod_policy of /Channel/Orderer is not a group',
  ],
  [
    'a policy with a name that Fabric refuses',
    () => setPolicy(CONFIG, 'Application/a_b', 'ANY Admins'),
    "the name \"a_b\" is not possible: letters, digits, '.' and '-' are allowed",
  ],
  [
    'the mod_policy of a policy that does not exist',
    () => setModPolicy(CONFIG, 'orderer.policies.Missing', 'Admins'),
    'the channel has no /Channel/Orderer/Missing',
  ],
  [
    'V3_0 without endpoints',
    () => setCapabilities(withGlobal(), 'channel', ['V3_0']),
    'V3_0 requires endpoints, and orderer has none: set the endpoints first, in the same update',
  ],
  [
    'an ACL without a capability for it',
    () =>
      setAcl(
        setByPath(CONFIG, 'application.capabilities', '{"capabilities":{"V1_1":{}}}').config,
        'a/b',
        'Admins',
      ),
    'ACLs need the application capability V1_2 or a newer one: set V2_5 first, in the same update',
  ],
  [
    'an ACL with an unknown policy',
    () => setAcl(CONFIG, 'peer/Propose', 'Writer'),
    'there is no policy "/Channel/Application/Writer"; did you mean /Channel/Application/Writers?',
  ],
  [
    'a resource without a slash',
    () => setAcl(CONFIG, 'peer', 'Writers'),
    '"peer" is not a resource; expected one such as peer/Propose',
  ],
  [
    'removal of an ACL that does not exist',
    () => removeAcl(CONFIG, 'peer/Propose'),
    '/Channel/Application/ACLs has no resource "peer/Propose"; none is allowed here',
  ],
  [
    'a policy that does not parse',
    () => setPolicy(CONFIG, 'Admins', "OR('A.boss')"),
    "signature policy, position 4: unknown role 'boss' in 'A.boss', allowed are member, admin, client, peer, orderer",
    'BAD_POLICY',
  ],
  [
    'removal of a policy that does not exist',
    () => removePolicy(CONFIG, 'Application/Admin'),
    '/Channel/Application has no policy "Admin"; did you mean Admins?',
  ],
  [
    'a mod_policy that names no policy',
    () => setModPolicy(CONFIG, 'Orderer/BatchSize', 'Nobody'),
    '"Nobody" is not a policy for /Channel/Orderer/BatchSize, so nobody could change it again; expected a path such as /Channel/Application/Admins, or one from its group such as Admins',
  ],
  [
    'a mod_policy that makes Fabric panic',
    () => setModPolicy(CONFIG, 'Orderer', '/Channel'),
    '"/Channel" is not a policy for /Channel/Orderer, so nobody could change it again; expected a path such as /Channel/Application/Admins, or one from the group such as Admins',
  ],
  [
    'a mod_policy that is not a path',
    () => setModPolicy(CONFIG, 'Orderer', 'a b'),
    '"a b" is not a mod_policy (path element at 0 is invalid: config ID \'a b\' contains illegal characters); expected one such as Admins',
  ],
];

for (const [what, edit, message, code] of ERRORS)
  test(`refused: ${what}`, (t) => refused(t, edit, message, code));

for (const [name, path, edit] of [
  ['ACLs', ['Application'], (config: Config) => setAcl(config, 'peer/Propose', 'Writers')],
  ['Capabilities', ['Application'], (config: Config) => setCapabilities(config, 'application', ['V2_0'])],
  [
    'AnchorPeers',
    ['Application', 'units'],
    (config: Config) => editAnchorPeers(config, 'add', 'units', ['peer9:7051']),
  ],
  ['Endpoints', ['Orderer', 'orderer'], (config: Config) => setEndpoints(config, 'orderer', ['o9:7050'])],
] as const)
  test(`unknown fields of the value ${name} stay when it is edited`, (t) => {
    // The field 1000 with the number 7.
    const unknown = Buffer.from([0xc0, 0x3e, 7]);
    const channelGroup = changeGroup(CONFIG.channelGroup, path, (group) =>
      withValue(group, name, Buffer.concat([group.values.get(name)?.value ?? Buffer.alloc(0), unknown])),
    );
    const before = { ...CONFIG, channelGroup };
    const { value } = groupOf(edit(before).config, ...path).values.get(name)!;
    t.deepEqual(Buffer.from(value.subarray(-3)), unknown);
  });
