// Outdated updates that are applied to a newer config.

import test from 'ava';
import { applyUpdate, readConfigFile, type Config } from '../../../translator/channel/index.js';
import { readConfigUpdate } from '../../../translator/channel/read.js';
import {
  editAll,
  isSameConfig,
  rebaseUpdate,
  removeOrganization,
  removePolicy,
  setAcl,
  setByPath,
  setModPolicy,
  setPolicy,
  unsignedUpdate,
  type Edited,
} from '../../../translator/edit/index.js';
import { BLOCK, CONFIG, refused } from '../../helpers/edits.js';

type Edit = (config: Config) => Edited;

const updateOf = (config: Config, edit: Edit): ReturnType<typeof readConfigUpdate> =>
  unsignedUpdate(config, edit(config).config, 'edits').update;

/** The config after an edit, with the versions that an orderer would set. */
const after = (config: Config, ...edits: readonly Edit[]): Config =>
  edits.reduce((each, edit) => applyUpdate(each, updateOf(each, edit), 'edits').config, config);

const set =
  (path: string, value: string): Edit =>
  (config) =>
    setByPath(config, path, value);
const policy =
  (path: string, text: string): Edit =>
  (config) =>
    setPolicy(config, path, text);

const messages = set('orderer.batchSize.maxMessageCount', '50');
const timeout = set('orderer.batchTimeout', '5s');
const acl: Edit = (config) => setAcl(config, 'qscc/GetChainInfo', 'Writers');
const newPolicy = policy('/Channel/Application/Auditors', 'ANY Readers');
const otherPolicy = policy('/Channel/Application/Clerks', 'ANY Writers');
const remove: Edit = (config) => removePolicy(config, '/Channel/Application/Auditors');
const leave: Edit = (config) => removeOrganization(config, 'plain');

const modPolicy =
  (name: string): Edit =>
  (config) =>
    setModPolicy(config, 'Orderer', name);
const nameOf = (index: number): string => `/Channel/Application/P${String.fromCodePoint(65 + index)}`;
const manyPolicies =
  (count: number, text: string): Edit =>
  (config) =>
    editAll(
      config,
      Array.from({ length: count }, (_, index) => policy(nameOf(index), text)),
    );
const added = (count: number): string =>
  Array.from({ length: count }, (_, index) => `${nameOf(index)} was added with another content`).join('; ');

const APART: readonly (readonly [title: string, before: Config, update: Edit, since: Edit])[] = [
  ['a value', CONFIG, messages, timeout],
  ['a value twice later', CONFIG, messages, (config) => ({ config: after(config, timeout, acl), notes: [] })],
  ['a new policy beside a new policy', CONFIG, newPolicy, otherPolicy],
  ['a new value beside a new policy', CONFIG, acl, newPolicy],
  ['a removed policy beside a new one', after(CONFIG, newPolicy), remove, otherPolicy],
  ['a removed organisation beside a changed value', CONFIG, leave, messages],
  ['a changed value beside a removed organisation', CONFIG, messages, leave],
  ['a new policy beside a removed organisation', CONFIG, newPolicy, leave],
  [
    'the mod_policy of a group beside a new policy in it',
    CONFIG,
    modPolicy('Writers'),
    policy('/Channel/Orderer/Clerks', 'ANY Readers'),
  ],
  [
    'another mod_policy',
    CONFIG,
    (config) => setModPolicy(config, '/Channel/Orderer/BatchSize', 'Writers'),
    timeout,
  ],
];
for (const [title, before, update, since] of APART)
  test(`${title}: the rebased update has the result of both`, (t) => {
    const newest = after(before, since);
    const stale = updateOf(before, update);
    const { config } = rebaseUpdate(stale, before, newest);
    const applied = applyUpdate(
      newest,
      updateOf(newest, () => ({ config, notes: [] })),
      'edits',
    );
    t.deepEqual(applied.faults, []);
    t.true(isSameConfig(applied.config, after(before, update, since)));
  });

const TOGETHER: readonly (readonly [
  title: string,
  before: Config,
  update: Edit,
  since: Edit,
  error: string,
])[] = [
  [
    'a value that was changed',
    CONFIG,
    messages,
    set('orderer.batchSize.maxMessageCount', '60'),
    '/Channel/Orderer/BatchSize was changed',
  ],
  [
    'a policy that was added with another text',
    CONFIG,
    newPolicy,
    policy('/Channel/Application/Auditors', 'ANY Admins'),
    '/Channel/Application/Auditors was added with another content',
  ],
  [
    'a policy to remove that was changed',
    after(CONFIG, newPolicy),
    remove,
    policy('/Channel/Application/Auditors', 'ANY Admins'),
    '/Channel/Application/Auditors was changed, and the update removes it',
  ],
  [
    'a mod_policy of a group that was set to another one',
    CONFIG,
    modPolicy('Writers'),
    modPolicy('/Channel/Admins'),
    'the mod_policy of /Channel/Orderer was changed',
  ],
  [
    'an organisation that was removed and is changed',
    CONFIG,
    leave,
    policy('/Channel/Application/plain/Readers', "OR('PlainMSP.admin')"),
    '/Channel/Application/plain was changed, and the update removes it',
  ],
  [
    '10 policies that were added with another text',
    CONFIG,
    manyPolicies(10, 'ANY Readers'),
    manyPolicies(10, 'ANY Admins'),
    added(10),
  ],
  [
    '12 policies that were added with another text',
    CONFIG,
    manyPolicies(12, 'ANY Readers'),
    manyPolicies(12, 'ANY Admins'),
    `${added(10)}; and 2 more`,
  ],
  [
    'an element of an organisation that was removed',
    CONFIG,
    policy('/Channel/Application/plain/Readers', "OR('PlainMSP.admin')"),
    leave,
    '/Channel/Application/plain was removed',
  ],
];
for (const [title, before, update, since, error] of TOGETHER)
  test(`${title} is a conflict`, (t) => {
    const stale = updateOf(before, update);
    refused(
      t,
      () => rebaseUpdate(stale, before, after(before, since)),
      `it conflicts with later changes: ${error}`,
    );
  });

test('an update that the channel already has changes nothing', (t) => {
  const stale = updateOf(CONFIG, newPolicy);
  const newest = after(CONFIG, newPolicy, timeout);
  t.true(isSameConfig(rebaseUpdate(stale, CONFIG, newest).config, newest));
  const moved = after(CONFIG, modPolicy('Writers'));
  t.true(isSameConfig(rebaseUpdate(updateOf(CONFIG, modPolicy('Writers')), CONFIG, moved).config, moved));
});

test('an update of another config is refused', (t) => {
  const update = updateOf(CONFIG, messages);
  const newest = after(CONFIG, messages);
  refused(
    t,
    () => rebaseUpdate(update, newest, newest),
    'it was not made for this config: error validating DeltaSet: attempt to set key [Value]  /Channel/Orderer/BatchSize to version 1, but key is at version 1',
  );
});

test('an update that fits stays the same', (t) => {
  const update = updateOf(CONFIG, acl);
  const { config } = rebaseUpdate(update, CONFIG, CONFIG);
  t.deepEqual(updateOf(CONFIG, () => ({ config, notes: [] })).bytes, update.bytes);
  t.is(readConfigFile(BLOCK).channel, 'edits');
});
