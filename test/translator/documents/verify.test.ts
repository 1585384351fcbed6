// Whether an update is in a config.

import test from 'ava';
import {
  applyUpdate,
  readConfig,
  readConfigUpdate,
  verifyUpdate,
  type Config,
  type ConfigUpdate,
} from '../../../translator/channel/index.js';
import { writeConfig } from '../../../translator/channel/write.js';
import { computeUpdate } from '../../../translator/update/index.js';
import { decode, encode } from '../../../proto/index.js';
import { readChannelCases } from '../../helpers/channel-cases.js';

const { configs, cases } = readChannelCases();
const ACCEPTED = cases.filter(({ propose }) => propose);

test(`${ACCEPTED.length} recorded updates are in the config after them, and not in the config before`, (t) => {
  t.true(ACCEPTED.length > 150);
  for (const { id, config, update } of ACCEPTED) {
    const before = readConfig(configs.get(config)!);
    const read = readConfigUpdate(update);
    t.true(verifyUpdate(read, applyUpdate(before, read).config).isIn, id);
    t.false(verifyUpdate(read, before).isIn, id);
  }
});

interface Json {
  channel_group: {
    groups: Record<
      string,
      { groups: Record<string, unknown>; values: Record<string, { value: Record<string, unknown> }> }
    >;
  };
}
type Edit = (config: Json) => void;

const START = readConfig(configs.get('app3')!);

/** The update of an edit, and the config after it. */
function edited(config: Config, edit: Edit): { readonly update: ConfigUpdate; readonly config: Config } {
  const bytes = writeConfig(config);
  const json = JSON.parse(decode('common.Config', bytes)) as Json;
  edit(json);
  const update = readConfigUpdate(computeUpdate(bytes, encode('common.Config', JSON.stringify(json)), 'ch'));
  return { update, config: applyUpdate(config, update).config };
}

const setCount =
  (count: number): Edit =>
  ({ channel_group: { groups } }) => {
    groups['Orderer']!.values['BatchSize']!.value['max_message_count'] = count;
  };
const setBatchTimeout =
  (timeout: string): Edit =>
  ({ channel_group: { groups } }) => {
    groups['Orderer']!.values['BatchTimeout']!.value['timeout'] = timeout;
  };
const addOrganization =
  (name: string): Edit =>
  ({ channel_group: { groups } }) => {
    const organizations = groups['Application']!.groups;
    organizations[name] = organizations['Org1'];
  };
const removeOrganization =
  (name: string): Edit =>
  ({ channel_group: { groups } }) => {
    delete groups['Application']!.groups[name];
  };

const LATER: readonly (readonly [
  title: string,
  edit: Edit,
  later: Edit,
  isIn: boolean,
  presences: readonly string[],
])[] = [
  ['a batch size, another element changed later', setCount(7), setBatchTimeout('9s'), true, ['there']],
  ['a batch size, changed later', setCount(7), setCount(8), false, ['changed-since']],
  [
    'a removed organisation, another one added later, which is not distinguishable from an update that was not accepted',
    removeOrganization('Org3'),
    addOrganization('Org4'),
    false,
    ['changed-since'],
  ],
  [
    'a removed organisation, added again later',
    removeOrganization('Org3'),
    addOrganization('Org3'),
    false,
    ['changed-since'],
  ],
];

for (const [title, edit, later, isIn, presences] of LATER)
  test(`${title}: the update is ${isIn ? '' : 'not '}in the newer config`, (t) => {
    const { update, config } = edited(START, edit);
    const newer = edited(config, later).config;
    const verification = verifyUpdate(update, newer);
    t.is(verification.isIn, isIn);
    t.deepEqual(
      verification.elements.map(({ presence }) => presence),
      presences,
    );
  });

test('an added organisation is found, also after another organisation was added', (t) => {
  const { update, config } = edited(START, addOrganization('Org4'));
  const newer = edited(config, addOrganization('Org5')).config;
  const { isIn, elements } = verifyUpdate(update, newer);
  t.true(isIn);
  t.deepEqual(elements[0], {
    path: '/Channel/Application',
    kind: 'group',
    presence: 'there',
    version: START.channelGroup.groups.get('Application')!.version + 1n,
    found: START.channelGroup.groups.get('Application')!.version + 2n,
  });
});

test('an added organisation that was removed later is missing', (t) => {
  const { update, config } = edited(START, addOrganization('Org4'));
  const { isIn, elements } = verifyUpdate(update, edited(config, removeOrganization('Org4')).config);
  t.false(isIn);
  t.is(elements.find(({ path }) => path === '/Channel/Application/Org4')?.presence, 'missing');
});

test('another update of the same element was accepted instead', (t) => {
  const [mine, theirs] = [edited(START, setCount(7)), edited(START, setCount(8))];
  t.deepEqual(
    verifyUpdate(mine.update, theirs.config).elements.map(({ presence }) => presence),
    ['other'],
  );
});

test('an update without a write set is in no config', (t) => {
  t.deepEqual(verifyUpdate(readConfigUpdate(new Uint8Array()), START), { isIn: false, elements: [] });
});
