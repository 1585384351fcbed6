// The difference of two configs, element by element.

import test from 'ava';
import { applyUpdate, readConfig, readConfigUpdate } from '../../../translator/channel/index.js';
import { describeChanges, describeDifference } from '../../../translator/documents/index.js';
import { ChannelState } from '../../../translator/state/index.js';
import { parse, serialize, type Tree } from '../../fuzz/review/messages.js';
import { application, inValue, orderer, org1, type Group } from '../../helpers/changed-config.js';
import { bytesIn, readReviewCases } from '../../helpers/review-cases.js';

const BEFORE = bytesIn(readReviewCases().configs.app3!);

/** The differences that changes of a config make, as lines. */
async function differencesOf(
  change: (channel: Group) => void,
  prepare: (channel: Group) => void = () => undefined,
): Promise<string[]> {
  const tree = parse('common.Config', BEFORE);
  prepare(tree.channel_group as Group);
  const before = readConfig(serialize('common.Config', tree));
  change(tree.channel_group as Group);
  const found = await describeDifference(before, readConfig(serialize('common.Config', tree)));
  return found.map(
    ({ element, kind, change: what, words }) => `${what} ${kind} ${element}: ${words.join('; ')}`,
  );
}

const meta = (rule: number, sub_policy: string): Tree => ({
  type: 3,
  value: serialize('common.ImplicitMetaPolicy', { rule, sub_policy }),
});
const [ANY, , MAJORITY] = [0, 1, 2];
const ACLS = serialize('protos.ACLs', { acls: { 'peer/Propose': { policy_ref: 'Writers' } } });
const setAcls =
  (mod_policy: string, value: Uint8Array = ACLS) =>
  (channel: Group): void =>
    void (application(channel).values.ACLs = { value, mod_policy });
const setPolicy =
  (rule: number, mod_policy = 'Admins') =>
  (channel: Group): void =>
    void (application(channel).policies.New = { policy: meta(rule, 'Admins'), mod_policy });

const CASES: readonly (readonly [
  what: string,
  change: (channel: Group) => void,
  lines: readonly string[],
  prepare?: (channel: Group) => void,
])[] = [
  ['nothing', () => undefined, []],
  [
    'a value',
    (channel) =>
      inValue(
        orderer(channel),
        'BatchTimeout',
        'orderer.BatchTimeout',
        (message) => (message.timeout = '9s'),
      ),
    ['modified value /Channel/Orderer/BatchTimeout: timeout 2s → 9s'],
  ],
  [
    'a new value',
    setAcls('Admins'),
    [
      'modified group /Channel/Application: value ACLs added',
      'new value /Channel/Application/ACLs: added: peer/Propose needs Writers',
    ],
  ],
  [
    'a new value with another mod_policy',
    setAcls('Writers'),
    [
      'modified group /Channel/Application: value ACLs added',
      'new value /Channel/Application/ACLs: added: peer/Propose needs Writers; mod_policy Writers',
    ],
  ],
  [
    'a new value without content and without a mod_policy',
    setAcls('', Buffer.of()),
    [
      'modified group /Channel/Application: value ACLs added',
      'new value /Channel/Application/ACLs: added: mod_policy none',
    ],
  ],
  [
    'a new value that cannot be read',
    setAcls('Admins', Buffer.from('ff', 'hex')),
    [
      'modified group /Channel/Application: value ACLs added',
      'new value /Channel/Application/ACLs: added: changed in a way that is not shown',
    ],
  ],
  [
    'a removed value',
    (channel) => void delete application(channel).values.ACLs,
    [
      'modified group /Channel/Application: value ACLs removed',
      'removed value /Channel/Application/ACLs: removed',
    ],
    setAcls('Admins'),
  ],
  [
    'a mod_policy',
    (channel) => void (orderer(channel).values.BatchSize!.mod_policy = 'Writers'),
    ['modified value /Channel/Orderer/BatchSize: mod_policy Admins → Writers'],
  ],
  [
    'no mod_policy any more',
    (channel) => void (orderer(channel).values.BatchSize!.mod_policy = ''),
    ['modified value /Channel/Orderer/BatchSize: mod_policy Admins → none'],
  ],
  [
    'a mod_policy where there was none',
    (channel) => void (orderer(channel).values.BatchSize!.mod_policy = 'Admins'),
    ['modified value /Channel/Orderer/BatchSize: mod_policy none → Admins'],
    (channel) => void (orderer(channel).values.BatchSize!.mod_policy = ''),
  ],
  [
    'a policy',
    setPolicy(MAJORITY),
    [
      'modified policy /Channel/Application/New: ANY Admins (1 of Org1, Org2, Org3) → MAJORITY Admins (2 of Org1, Org2, Org3)',
    ],
    setPolicy(ANY),
  ],
  [
    'a new policy',
    setPolicy(ANY),
    [
      'modified group /Channel/Application: policy New added',
      'new policy /Channel/Application/New: policy added: ANY Admins (1 of Org1, Org2, Org3)',
    ],
  ],
  [
    'a removed policy',
    (channel) => void delete application(channel).policies.New,
    [
      'modified group /Channel/Application: policy New removed',
      'removed policy /Channel/Application/New: policy removed: ANY Admins (1 of Org1, Org2, Org3)',
    ],
    setPolicy(ANY),
  ],
  [
    'a policy that is not valid any more',
    (channel) => void (application(channel).policies.New!.policy = { type: 9 }),
    ['modified policy /Channel/Application/New: not a valid policy'],
    setPolicy(ANY),
  ],
  [
    'a policy that becomes valid',
    setPolicy(ANY),
    ['modified policy /Channel/Application/New: ANY Admins (1 of Org1, Org2, Org3)'],
    (channel) => void (application(channel).policies.New = { policy: { type: 9 }, mod_policy: 'Admins' }),
  ],
  [
    'a removed policy that was not valid',
    (channel) => void delete application(channel).policies.New,
    [
      'modified group /Channel/Application: policy New removed',
      'removed policy /Channel/Application/New: policy removed',
    ],
    (channel) => void (application(channel).policies.New = { policy: { type: 9 }, mod_policy: 'Admins' }),
  ],
  [
    'an unknown field of a policy',
    ({ groups }) => {
      const { policy } = org1({ groups } as Group).policies.Admins!;
      policy.value = Buffer.concat([policy.value as Uint8Array, Buffer.from('980601', 'hex')]);
    },
    ['modified policy /Channel/Application/Org1/Admins: changed in a way that is not shown'],
  ],
  [
    'a new group with another mod_policy',
    (channel) =>
      void (application(channel).groups.New = {
        groups: {},
        values: {},
        policies: {},
        mod_policy: 'Writers',
      }),
    [
      'modified group /Channel/Application: New added',
      'new group /Channel/Application/New: group added: mod_policy Writers',
    ],
  ],
];

for (const [what, change, lines, prepare] of CASES)
  test(`the difference of configs, ${what}: ${lines.at(-1) ?? 'nothing'}`, async (t) => {
    t.deepEqual(await differencesOf(change, prepare), lines);
  });

test('an abort ends the comparison of two configs', async (t) => {
  const tree = parse('common.Config', BEFORE);
  setAcls('Admins')(tree.channel_group as Group);
  const reason = new Error('no longer needed');
  await t.throwsAsync(
    describeDifference(readConfig(BEFORE), readConfig(serialize('common.Config', tree)), {
      signal: AbortSignal.abort(reason),
    }),
    { is: reason },
  );
});

test('an update that sets an element to its content again changes only its version', (t) => {
  const config = readConfig(BEFORE);
  const channel = parse('common.Config', BEFORE).channel_group as Group & { version?: number };
  const group = orderer(channel) as Group & { version?: number };
  const batchSize = group.values.BatchSize as { version?: string };
  const update = readConfigUpdate(
    serialize('common.ConfigUpdate', {
      write_set: {
        version: channel.version,
        groups: {
          Orderer: {
            version: group.version,
            values: { BatchSize: { ...batchSize, version: Number(batchSize.version ?? 0) + 1 } },
          },
        },
      },
    }),
  );
  const applied = applyUpdate(config, update);
  const [before, after] = [config, applied.config].map((each) => new ChannelState(each));
  t.deepEqual(
    [...describeChanges(applied, before!, after!)]
      .filter(({ placed }) => placed.path === '/Channel/Orderer/BatchSize')
      .map(({ words }) => words),
    [['the same content with a new version']],
  );
});
