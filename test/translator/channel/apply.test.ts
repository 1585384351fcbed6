// Updates that are applied to a config: the faults in Fabric's words and order, and the elements that the result has and lacks.

import test from 'ava';
import {
  applyUpdate,
  makeGroup,
  makePolicy,
  makeValue,
  writeUpdate,
  type Config,
  type ConfigGroup,
} from '../../../translator/channel/index.js';
import { readConfigUpdate } from '../../../translator/channel/read.js';

type Parts = Parameters<typeof makeGroup>[0];

const value = (version: bigint, text: string, modPolicy = 'Admins') =>
  makeValue({ version, modPolicy, value: Buffer.from(text) });
const group = (version: bigint, parts: Parts = {}): ConfigGroup =>
  makeGroup({ version, modPolicy: 'Admins', ...parts });
const valuesOf = (entries: Readonly<Record<string, ReturnType<typeof value>>>) =>
  new Map(Object.entries(entries));

const ORG = group(0n, { values: valuesOf({ MSP: value(0n, 'msp') }) });
const POLICY = makePolicy({ version: 2n, modPolicy: 'Admins', policy: { type: 1, value: Buffer.from('p') } });
/** A config with a value, a policy and an organisation. */
const CONFIG: Config = {
  sequence: 4n,
  channelGroup: group(1n, {
    values: valuesOf({ A: value(3n, 'a') }),
    policies: new Map([['P', POLICY]]),
    groups: new Map([['Org', ORG]]),
  }),
};

const apply = (readSet: ConfigGroup, writeSet: ConfigGroup, channel?: string) =>
  applyUpdate(CONFIG, readConfigUpdate(writeUpdate({ channelId: 'ch1', readSet, writeSet })), channel);

const ROOT = group(1n);
const setting = (name: string, set: ReturnType<typeof value>): ConfigGroup =>
  group(1n, { values: valuesOf({ [name]: set }) });
const NEXT = setting('A', value(4n, 'b'));
const DELTA = 'error validating DeltaSet: ';
const READ = 'error validating ReadSet: ';

const FAULTS: readonly (readonly [
  what: string,
  read: ConfigGroup,
  write: ConfigGroup,
  ...faults: readonly (readonly [rule: string, path: string | undefined, text: string])[],
])[] = [
  ['a value at its next version', ROOT, NEXT],
  [
    'no change',
    ROOT,
    ROOT,
    ['empty', undefined, `${DELTA}delta set was empty -- update would have no effect`],
  ],
  [
    'a read set with a version that is older',
    setting('A', value(2n, '')),
    NEXT,
    [
      'read-set',
      '/Channel/A',
      `${READ}proposed update requires that key [Value]  /Channel/A be at version 2, but it is currently at version 3`,
    ],
  ],
  [
    'a read set with an element that the config does not have',
    setting('B', value(0n, '')),
    NEXT,
    [
      'read-set',
      '/Channel/B',
      `${READ}existing config does not contain element for [Value]  /Channel/B but was in the read set`,
    ],
  ],
  [
    'a value at the version after the next',
    ROOT,
    setting('A', value(5n, 'b')),
    [
      'version',
      '/Channel/A',
      `${DELTA}attempt to set key [Value]  /Channel/A to version 5, but key is at version 3`,
    ],
  ],
  [
    'a new value at version 1',
    ROOT,
    setting('B', value(1n, 'b')),
    [
      'version',
      '/Channel/B',
      `${DELTA}attempted to set key [Value]  /Channel/B to version 1, but key does not exist`,
    ],
  ],
  [
    'a value without a mod_policy, at a wrong version',
    ROOT,
    setting('A', value(9n, 'b', '')),
    [
      'mod-policy',
      '/Channel/A',
      `${DELTA}invalid mod_policy for element [Value]  /Channel/A: mod_policy not set`,
    ],
    [
      'version',
      '/Channel/A',
      `${DELTA}attempt to set key [Value]  /Channel/A to version 9, but key is at version 3`,
    ],
  ],
  [
    'names that Fabric refuses, in both sets',
    setting('a_b', value(0n, '')),
    group(1n, { values: valuesOf({ A: value(4n, 'b'), c_d: value(0n, '') }) }),
    [
      'name',
      '/Channel/a_b',
      "error mapping ReadSet: illegal characters in key: [Value]  : config ID 'a_b' contains illegal characters",
    ],
    [
      'name',
      '/Channel/c_d',
      "error mapping WriteSet: illegal characters in key: [Value]  : config ID 'c_d' contains illegal characters",
    ],
  ],
];

for (const [what, read, write, ...faults] of FAULTS)
  test(`an update with ${what} has ${faults.length === 0 ? 'no fault' : faults.map(([rule]) => `the fault ${rule}`).join(' and ')}`, (t) => {
    t.deepEqual(
      apply(read, write).faults.map(({ rule, path, text }) => [rule, path, text]),
      faults.map((each) => [...each]) as never,
    );
  });

test('the channel of the envelope is compared first, and only if it is known', (t) => {
  t.deepEqual(apply(ROOT, NEXT, 'ch1').faults, []);
  t.deepEqual(apply(ROOT, NEXT, 'ch2').faults, [
    {
      text: "ConfigUpdate for channel 'ch1' but envelope for channel 'ch2'",
      path: undefined,
      rule: 'channel',
    },
  ]);
});

test('a group that is set without some members loses them, and the others stay as they are', (t) => {
  const { config, changes, removed } = apply(
    group(1n, { values: valuesOf({ A: value(3n, '') }) }),
    group(2n, { values: valuesOf({ A: value(3n, ''), B: value(0n, 'b') }) }),
  );
  t.deepEqual(
    changes.map(({ change, path }) => `${change} ${path}`),
    ['modified /Channel', 'new /Channel/B'],
  );
  // Of a removed group only the group is named.
  t.deepEqual(
    removed.map(({ kind, path, names }) => [kind, path, names]),
    [
      ['policy', '/Channel/P', ['P']],
      ['group', '/Channel/Org', ['Org']],
    ],
  );
  const { channelGroup, sequence } = config;
  t.deepEqual([sequence, channelGroup.version], [5n, 2n]);
  t.deepEqual(
    [...channelGroup.values].map(([name, each]) => [name, Buffer.from(each.value).toString(), each.version]),
    [
      ['A', 'a', 3n],
      ['B', 'b', 0n],
    ],
  );
  t.deepEqual([channelGroup.policies.size, channelGroup.groups.size], [0, 0]);
});

test('of a group that keeps its version, new members are changes but not in the result', (t) => {
  const { config, changes, removed } = apply(ROOT, setting('B', value(0n, 'b')));
  t.deepEqual(
    changes.map(({ path }) => path),
    ['/Channel/B'],
  );
  t.deepEqual([[...config.channelGroup.values.keys()], removed], [['A'], []]);
});

test('an empty mod_policy becomes Admins once the orderers have capabilities, as in Fabric', (t) => {
  const write = (capabilities: boolean): ConfigGroup =>
    group(1n, {
      values: valuesOf({ A: value(4n, 'b', '') }),
      groups: new Map(
        capabilities ? [['Orderer', group(0n, { values: valuesOf({ Capabilities: value(0n, 'c') }) })]] : [],
      ),
    });
  for (const [has, modPolicy] of [
    [false, ''],
    [true, 'Admins'],
  ] as const)
    t.is(apply(ROOT, write(has)).config.channelGroup.values.get('A')!.modPolicy, modPolicy);
});
