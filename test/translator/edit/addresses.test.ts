// Anchor peers and endpoints.

import test, { type ExecutionContext } from 'ava';
import { channelOf, type Config } from '../../../translator/channel/index.js';
import { editAll, editAnchorPeers, setByPath, setEndpoints } from '../../../translator/edit/index.js';
import { applyEdit, CONFIG, refused } from '../../helpers/edits.js';

const anchors = (config: Config): readonly string[] =>
  channelOf(config)
    .application.organizations.find(({ name }) => name === 'units')!
    .anchorPeers.map(({ host, port }) => `${host}:${port}`);

/** The channel with the anchor peers a:1 and b:2. */
const withTwo = editAnchorPeers(CONFIG, 'set', 'UnitsMSP', ['a:1', '[::1]:2']).config;

const ANCHORS: readonly (readonly [Config, 'set' | 'add' | 'remove', string[], string[], string])[] = [
  [CONFIG, 'set', ['a:1', '[::1]:2'], ['a:1', '[::1]:2'], 'a:1, [::1]:2'],
  [CONFIG, 'add', ['a:1'], ['a:1'], 'a:1'],
  [withTwo, 'add', ['c:65535'], ['a:1', '[::1]:2', 'c:65535'], 'a:1, [::1]:2, c:65535'],
  [withTwo, 'remove', ['a:1'], ['[::1]:2'], '[::1]:2'],
  [withTwo, 'remove', ['a:1', '[::1]:2'], [], 'none'],
  [withTwo, 'set', ['a:2'], ['a:2'], 'a:2'],
];

for (const [before, action, given, expected, note] of ANCHORS)
  test(`anchor-peers ${action} ${given.join(' ')} with ${anchors(before).length} before: ${note}`, (t) => {
    const edited = editAnchorPeers(before, action, 'units', given);
    t.deepEqual(edited.notes, [`anchor peers of /Channel/Application/units: ${note}`]);
    t.deepEqual(anchors(applyEdit(t, before, edited).config), expected);
  });

const anchorError =
  (action: 'set' | 'add' | 'remove', address: string, before = withTwo) =>
  (t: ExecutionContext, message: string): void =>
    refused(t, () => editAnchorPeers(before, action, 'units', [address]), message);

const address = (text: string): string =>
  `${JSON.stringify(text)} is not an address, HOST:PORT with a port of 1 to 65535 is needed`;

const ERRORS: readonly (readonly [string, ReturnType<typeof anchorError>, string])[] = [
  ['no port', anchorError('set', 'host'), address('host')],
  ['port 0', anchorError('set', 'host:0'), address('host:0')],
  ['port 65536', anchorError('set', 'host:65536'), address('host:65536')],
  ['no host', anchorError('set', ':7'), address(':7')],
  ['a URL', anchorError('set', 'grpcs://host:7'), address('grpcs://host:7')],
  ['IPv6 without brackets', anchorError('set', '::1:7'), address('::1:7')],
  [
    'an anchor peer that exists',
    anchorError('add', 'a:1'),
    'a:1 is an anchor peer of /Channel/Application/units already',
  ],
  [
    'an anchor peer that does not exist',
    anchorError('remove', 'a:3'),
    'a:3 is not an anchor peer of /Channel/Application/units; it has a:1, [::1]:2',
  ],
  [
    'removal where there is none',
    anchorError('remove', 'a:3', CONFIG),
    'a:3 is not an anchor peer of /Channel/Application/units; it has none',
  ],
  [
    'duplicates',
    (t, message) => refused(t, () => editAnchorPeers(CONFIG, 'set', 'units', ['a:1', 'a:1']), message),
    'a:1 is a duplicate',
  ],
];

for (const [what, run, message] of ERRORS) test(`refused: ${what}`, (t) => run(t, message));

test('endpoints are set, and a removed one is reported', (t) => {
  const edited = setEndpoints(CONFIG, 'OrdererMSP', ['a:1', 'b:2']);
  t.deepEqual(edited.notes, [
    'endpoints of /Channel/Orderer/orderer: a:1, b:2',
    'o.ord.test:7050 removed: peers are cut off if they do not receive the block with the new addresses before the old ones stop working',
  ]);
  const { config, changes } = applyEdit(t, CONFIG, edited);
  t.deepEqual(channelOf(config).orderer.organizations[0]!.endpoints, ['a:1', 'b:2']);
  t.deepEqual(changes, ['modified value /Channel/Orderer/orderer/Endpoints']);
});

test('endpoints need a capability of the channel', (t) => {
  const old = editAll(CONFIG, [
    (config) => setByPath(config, 'channel.capabilities', '{"capabilities":{"V1_1":{}}}'),
  ]).config;
  refused(
    t,
    () => setEndpoints(old, 'orderer', ['a:1']),
    'the channel capability V1_4_2 or a newer one is needed for endpoints of organisations; set channel.ordererAddresses instead',
  );
});
