// The message types of values by their place, and unknown names.

import test from 'ava';
import { channelOf, makeGroup, makeValue, type Config } from '../../../translator/channel/index.js';
import { kindOfGroup, typeOfValue, valueOrEmpty } from '../../../translator/channel/values.js';
import { CONFIG, withGroupOf } from '../../helpers/edits.js';

const KINDS: readonly (readonly [path: string, kind: string | undefined])[] = [
  ['', 'channel'],
  ['Orderer', 'orderer'],
  ['Orderer/__proto__', 'ordererOrganization'],
  ['Orderer/Org1/more', undefined],
  ['Application', 'application'],
  ['Application/constructor', 'applicationOrganization'],
  ['Consortiums', 'consortiums'],
  ['Consortiums/Sample', 'consortium'],
  ['Consortiums/Sample/Org1', 'consortiumOrganization'],
  ['Consortiums/Sample/Org1/more', undefined],
  ['__proto__', undefined],
  ['constructor/Org1', undefined],
];

for (const [path, kind] of KINDS)
  test(`the kind of the group /Channel/${path} is ${kind ?? 'unknown'}`, (t) => {
    t.is(kindOfGroup(path.split('/').filter((name) => name !== '')), kind as ReturnType<typeof kindOfGroup>);
  });

const TYPES: readonly (readonly [path: string, name: string, type: string | undefined])[] = [
  ['', 'Consortium', 'common.Consortium'],
  ['', 'BatchSize', undefined],
  ['Orderer', 'BatchSize', 'orderer.BatchSize'],
  ['Orderer', 'constructor', undefined],
  ['Orderer', '__proto__', undefined],
  ['Orderer/Org1', 'Endpoints', 'common.OrdererAddresses'],
  ['Application', 'ACLs', 'protos.ACLs'],
  ['Application', 'toString', undefined],
  ['Application/Org1', 'AnchorPeers', 'protos.AnchorPeers'],
  ['Application/Org1', 'Endpoints', undefined],
  ['Consortiums/Sample', 'ChannelCreationPolicy', 'common.Policy'],
  ['hasOwnProperty', 'MSP', undefined],
];

for (const [path, name, type] of TYPES)
  test(`the value ${name} in /Channel/${path} is ${type ?? 'unknown'}`, (t) => {
    const names = path.split('/').filter((each) => each !== '');
    t.is(typeOfValue(names, name)?.name, type);
  });

test('a value that a group does not have is an empty message', (t) => {
  t.deepEqual(valueOrEmpty(undefined, 'orderer', 'BatchSize'), {
    maxMessageCount: 0,
    absoluteMaxBytes: 0,
    preferredMaxBytes: 0,
  });
});

/** The channel with bytes in a value of the group Orderer that are not a message. */
const broken = (name: string): Config =>
  withGroupOf(CONFIG, 'Orderer', ({ values }) => ({
    values: new Map(values).set(name, makeValue({ value: Uint8Array.of(0xff) })),
  }));

test('a value that does not parse is an error of one member of the channel only', (t) => {
  const { orderer, organizations } = channelOf(broken('BatchSize'));
  t.throws(() => orderer.batchSize, {
    message: '/Channel/Orderer/BatchSize: proto: cannot parse invalid wire-format data',
  });
  t.throws(() => orderer.batchSize, {
    message: '/Channel/Orderer/BatchSize: proto: cannot parse invalid wire-format data',
  });
  t.is(orderer.batchTimeout, '2s');
  t.is(orderer.consenters.length, 1);
  t.is(organizations.length, 4);
});

test('a channel without the groups of orderers and applications has empty values and no organisations', (t) => {
  const { orderer, application, organizations, consortiums } = channelOf({ channelGroup: makeGroup({}) });
  t.deepEqual([orderer.group, application.group, consortiums], [undefined, undefined, undefined]);
  t.deepEqual([organizations, orderer.consenters], [[], []]);
  t.deepEqual([orderer.consensus.type, application.acls.size, orderer.capabilities.size], ['', 0, 0]);
});

test('an organisation of a system channel has its place in a consortium', (t) => {
  const sample = makeGroup({ groups: new Map([['constructor', makeGroup({})]]) });
  const consortiums = makeGroup({ groups: new Map([['__proto__', sample]]) });
  const channel = channelOf({ channelGroup: makeGroup({ groups: new Map([['Consortiums', consortiums]]) }) });
  const [consortium] = channel.consortiums!;
  const [organization] = consortium!.organizations;
  t.is(consortium!.name, '__proto__');
  t.is(organization!.name, 'constructor');
  t.is(organization!.path, '/Channel/Consortiums/__proto__/constructor');
  t.is(organization!.mspId, undefined);
  t.deepEqual([organization!.anchorPeers, organization!.endpoints], [[], []]);
});
