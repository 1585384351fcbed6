// What a review and `powersOf` could not judge is said.

import test from 'ava';
import { readConfigFile } from '../../../translator/channel/file.js';
import { documentText, powersDocument } from '../../../translator/documents/index.js';
import { powersOf } from '../../../translator/powers/index.js';
import { setPolicy, unsignedUpdate } from '../../../translator/edit/index.js';
import { readConfig, readUpdateFile, writeConfig } from '../../../translator/channel/index.js';
import { headlineOf } from '../../../translator/page/headline.js';
import { review } from '../../../translator/review/index.js';
import { largeChannel } from '../../helpers/large-channel.js';
import { application, org1, orderer, inMsp, reviewOf, type Group } from '../../helpers/changed-config.js';
import { bytesIn, readReviewCases } from '../../helpers/review-cases.js';
import { parse, serialize } from '../../fuzz/review/messages.js';

const LINE = 'who loses or gains something by this update: ';
const damage = (group: Group, name: string): void =>
  void (group.values[name]!.value = Buffer.from('ff', 'hex'));
const withoutCas = (channel: Group): void => inMsp(org1(channel), (msp) => void (msp.root_certs = []));

const { configs } = readReviewCases();

function changed(change: (channel: Group) => void): ReturnType<typeof readConfigFile> {
  const tree = parse('common.Config', bytesIn(configs.app3!));
  change(tree.channel_group as Group);
  return readConfigFile(serialize('common.Config', tree));
}

for (const [title, config, change, reason] of [
  [
    'ACLs',
    'app3',
    (channel) => {
      application(channel).values.ACLs = { value: Buffer.from('ff', 'hex'), mod_policy: 'Admins' };
    },
    '/Channel/Application/ACLs does not parse',
  ],
  [
    'capabilities',
    'app3',
    (channel) => damage(application(channel), 'Capabilities'),
    '/Channel/Application/Capabilities does not parse',
  ],
  [
    'a BatchSize',
    'app3',
    (channel) => damage(orderer(channel), 'BatchSize'),
    '/Channel/Orderer/BatchSize does not parse',
  ],
  [
    'BFT consenters',
    'bft4',
    (channel) => damage(orderer(channel), 'Orderers'),
    '/Channel/Orderer/Orderers does not parse',
  ],
  [
    'a ConsensusType',
    'raft2',
    (channel) => damage(orderer(channel), 'ConsensusType'),
    '/Channel/Orderer/ConsensusType does not parse',
  ],
  [
    'an MSP',
    'app3',
    (channel) => damage(org1(channel), 'MSP'),
    '/Channel/Application/Org1/MSP does not parse',
  ],
  [
    'an MSP without CAs',
    'app3',
    withoutCas,
    '/Channel/Application/Org1/MSP: setting up the MSP manager failed: expected at least one CA certificate',
  ],
] as const satisfies readonly (readonly [string, string, (channel: Group) => void, string])[])
  test(`a review says that ${title} with a fault hides who loses something`, async (t) => {
    const { unknown } = await reviewOf(config, change);
    t.deepEqual(
      unknown.filter((line) => line.startsWith(LINE)),
      [LINE + reason],
    );
  });

test('a review without errors judges who loses something', async (t) => {
  const { unknown } = await reviewOf('app3', (channel) => void delete application(channel).groups.Org3);
  t.false(unknown.some((line) => line.startsWith('who ')));
});

test('powersOf says that nobody is known of an MSP that cannot be set up', async (t) => {
  const powers = await powersOf(changed(withoutCas));
  const line =
    'who acts for /Channel/Application/Org1: setting up the MSP manager failed: expected at least one CA certificate';
  t.deepEqual(powers.unknown, [line]);
  t.true(documentText(powersDocument(powers)).endsWith(`cannot be known\n  ${line}\n`));
});

test('powersOf and a review say that nobody is known of an MSP whose CAs issue nothing that it takes', async (t) => {
  const hidden = (channel: Group): void =>
    inMsp(
      org1(channel),
      (msp) =>
        void (msp.organizational_unit_identifiers = [
          { organizational_unit_identifier: 'unit', certificate: (msp.root_certs as Uint8Array[])[0] },
        ]),
    );
  const line = 'who acts for /Channel/Application/Org1: no identity that its MSP accepts is known';
  t.deepEqual((await powersOf(changed(hidden))).unknown, [line]);
  const { unknown } = await reviewOf(
    'app3',
    (channel) => void delete application(channel).groups.Org3,
    hidden,
  );
  t.deepEqual(
    unknown.filter((each) => each.startsWith('who ')),
    [line],
  );
});

test('sets of organisations that are not compared are said, counted, and keep the verdict from being good', async (t) => {
  const names = Array.from({ length: 14 }, (_, index) => `Org${index + 1}`);
  // Each is named by a policy of another one, so none is like another.
  const config = names.reduce(
    (made, name, index) =>
      setPolicy(
        made,
        `/Channel/Application/${name}/Helpers`,
        `OR('${names[(index + 1) % names.length]!}MSP.admin')`,
      ).config,
    readConfig(largeChannel(names.length, 1).config),
  );
  const changedConfig = setPolicy(config, '/Channel/Application/Clerks', 'ANY Readers').config;
  const { bytes: envelope } = unsignedUpdate(config, changedConfig, 'channel');
  const result = await review(readUpdateFile(envelope), readConfigFile(writeConfig(config)), {
    now: new Date('2026-11-22T00:00:00Z'),
    fabric: ['3.0'],
  });
  t.deepEqual(
    result.findings.filter(({ id }) => id === 'control-not-compared').map(({ text }) => text),
    ['30,976 sets of organisations were not compared: one of them may control more than before'],
  );
  t.deepEqual(result.unknown, [
    'whether one of 30,976 sets of organisations that were not compared controls more than before',
    'whether this config is the newest of the channel',
  ]);
  t.is(headlineOf({ ...result, findings: [] }).state, 'risk');
  const powers = await powersOf(readConfigFile(writeConfig(config)));
  t.deepEqual(powers.unknown, ['who else controls something: 30,976 sets of organisations were not checked']);
});
