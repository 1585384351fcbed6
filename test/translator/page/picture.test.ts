// A channel as the page shows it.

import test from 'ava';
import { readConfigFile, makeGroup, makeValue, type ConfigFile } from '../../../translator/channel/index.js';
import { consenterNames, outlineOf, pictureOf } from '../../../translator/page/picture.js';
import { namesText } from '../../../translator/page/names.js';
import { PageModel } from '../../../translator/page/model.js';
import { writeConfig } from '../../../translator/channel/index.js';
import { largeChannel } from '../../helpers/large-channel.js';
import { networkBlock } from '../../helpers/network-block.js';

const NOW = new Date('2026-11-24T00:00:00Z');
const BASE = readConfigFile(networkBlock());

/** The channel with a batch size that cannot be read. */
function unreadable(): ConfigFile {
  const { channelGroup } = BASE.config;
  const orderer = channelGroup.groups.get('Orderer')!;
  const values = new Map(orderer.values).set('BatchSize', makeValue({ value: Buffer.from([0xff]) }));
  const groups = new Map(channelGroup.groups).set('Orderer', makeGroup({ ...orderer, values }));
  return { ...BASE, config: { ...BASE.config, channelGroup: makeGroup({ ...channelGroup, groups }) } };
}

test('the outline has the ordering with its quorum, and the organisations', (t) => {
  const { ordering, organizations } = outlineOf(BASE);
  t.deepEqual(
    [ordering?.type, ordering?.quorum, ordering?.consenters],
    [
      'etcdraft',
      { consenters: 1, quorum: 1, mayFail: 0 },
      [{ name: 'orderer', address: 'orderer.example.com:7050' }],
    ],
  );
  t.deepEqual(
    organizations.map(({ section, name }) => `${section}/${name}`),
    ['Orderer/OrdererOrg', 'Application/Org1MSP', 'Application/Org2MSP'],
  );
});

test('organisations are sorted as people count: 1, 2, 10', (t) => {
  const { organizations } = outlineOf(readConfigFile(largeChannel(12, 1).config));
  t.deepEqual(
    organizations.map(({ name }) => name),
    ['OrdererOrg', ...Array.from({ length: 12 }, (_, index) => `Org${index + 1}`)],
  );
  t.is(namesText(['Org10', 'Org2', 'Org1', 'Org3']), 'Org1, Org2, Org3 and 1 more');
  t.is(namesText(['Org2', 'Org1']), 'Org1 and Org2');
});

test('a value that cannot be read is a reason, not a page that fails', async (t) => {
  const base = unreadable();
  t.throws(() => outlineOf(base));
  const { error } = await pictureOf(base, NOW);
  t.regex(error ?? '', /BatchSize/);
  const model = new PageModel(() => NOW);
  const bytes = writeConfig(base.config);
  await model.add([
    { path: 'config.pb', read: async () => ({ path: 'config.pb', bytes, size: bytes.length }) },
  ]);
  const { outline } = model;
  t.regex('error' in outline ? outline.error : '', /BatchSize/);
  t.regex(model.picture?.error ?? '', /BatchSize/);
});

for (const [addresses, names] of [
  [
    ['orderer1.example.com:7050', 'orderer2.example.com:7050'],
    ['orderer1', 'orderer2'],
  ],
  [
    ['orderer.a.com:7050', 'orderer.b.com:7050'],
    ['orderer.a.com', 'orderer.b.com'],
  ],
  [
    ['localhost:1', 'localhost:2'],
    ['localhost:1', 'localhost:2'],
  ],
  [
    ['[fd00::1]:7050', 'orderer2.example.com:7050'],
    ['[fd00::1]', 'orderer2'],
  ],
  [
    ['o.a.com:1', 'o.a.com:2', 'p.a.com:1'],
    ['o.a.com:1', 'o.a.com:2', 'p.a.com:1'],
  ],
  [
    ['10.0.0.1:7050', '10.0.0.2:7050'],
    ['10.0.0.1', '10.0.0.2'],
  ],
] as const)
  test(`the consenters ${addresses.join(' and ')} are called ${names.join(' and ')}`, (t) =>
    t.deepEqual(consenterNames(addresses), names));

for (const [certified, names] of [
  [
    ['orderer.a.com', 'orderer2.a.com'],
    ['orderer', 'orderer2'],
  ],
  [
    ['orderer.a.com', 'orderer.b.com'],
    ['orderer.a.com', 'orderer.b.com'],
  ],
  [
    ['o.a.com', 'o.a.com'],
    ['127.0.0.1:1', '127.0.0.1:2'],
  ],
  [
    ['o.a.com', ''],
    ['127.0.0.1:1', '127.0.0.1:2'],
  ],
] as const)
  test(`consenters at one host with the certificates of ${certified.join(' and ')} are called ${names.join(' and ')}`, (t) => {
    t.deepEqual(
      consenterNames(['127.0.0.1:1', '127.0.0.1:2'], () => certified),
      names,
    );
  });

test('a channel without orderers has no ordering, and orderers without consenters no quorum', (t) => {
  const { channelGroup } = BASE.config;
  const application = channelGroup.groups.get('Application')!;
  const without = makeGroup({ ...channelGroup, groups: new Map([['Application', application]]) });
  t.is(outlineOf({ ...BASE, config: { ...BASE.config, channelGroup: without } }).ordering, undefined);
  const empty = makeGroup({ groups: new Map([['Orderer', makeGroup({})]]) });
  const { ordering } = outlineOf({ ...BASE, config: { ...BASE.config, channelGroup: empty } });
  t.deepEqual([ordering?.consenters, ordering?.quorum], [[], undefined]);
});

for (const [now, urgent] of [
  // The certificates of the recorded network end at 10:02 of 2036-11-17.
  ['2035-11-18T10:01:59Z', 0],
  ['2035-11-18T10:02:00Z', 7],
  ['2037-01-01T00:00:00Z', 7],
] as const)
  test(`${urgent} of 7 certificates are urgent at ${now}: they end within a year`, async (t) => {
    const { certificates, organizations, error } = await pictureOf(BASE, new Date(now));
    t.like(certificates, { count: 7, first: '2036-11-17', urgent });
    t.is(error, undefined);
    t.deepEqual([...organizations.keys()].toSorted(), [
      'Application/Org1MSP',
      'Application/Org2MSP',
      'Orderer/OrdererOrg',
    ]);
  });
