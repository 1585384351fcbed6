// Consenters of Raft and BFT channels.

import test from 'ava';
import { blockValidationPolicy, type BftEntry } from '../../../translator/channel/consenters.js';
import { OrdererConsensusType } from '../../../proto/messages.js';
import { writeMessage } from '../../../proto/typed.js';
import {
  channelOf,
  makeGroup,
  makeValue,
  readConfig,
  type Config,
} from '../../../translator/channel/index.js';
import {
  addConsenter,
  removeConsenter,
  rotateConsenter,
  setByPath,
  setEndpoints,
  type Edited,
} from '../../../translator/edit/index.js';
import { readChannelCases } from '../../helpers/channel-cases.js';
import { applyEdit, CONFIG, OTHER_PEM, PEM, refused, withGroupOf } from '../../helpers/edits.js';

const bft = readConfig(readChannelCases().configs.get('bft4')!);
const addresses = (list: readonly { readonly host: string; readonly port: number }[]): string[] =>
  list.map(({ host, port }) => `${host}:${port}`);
const raftOf = (config: Config) => channelOf(config).orderer.consenters;
const bftOf = (config: Config) => channelOf(config).orderer.consenters as readonly BftEntry[];
const bftBefore = bftOf(bft);
const last = addresses(bftBefore).at(-1)!;
const endpointsOf = (config: Config) =>
  channelOf(config).orderer.organizations.map(({ endpoints }) => endpoints);
const added = addConsenter(CONFIG, { address: 'p:2', tls: PEM }).config;

test('a Raft consenter is added with its endpoint', (t) => {
  const edited = addConsenter(CONFIG, {
    address: 'p:2',
    tls: PEM,
    serverTls: OTHER_PEM,
    endpoint: 'public:3',
  });
  t.deepEqual(edited.notes, [
    'consenter p:2 added',
    'public:3 added to the endpoints of /Channel/Orderer/orderer',
    '2 consenters: 2 of them must be running',
    'after the update, join p:2 to the channel: osnadmin channel join with the new config block',
  ]);
  const { config, changes } = applyEdit(t, CONFIG, edited);
  t.deepEqual(addresses(raftOf(config)), ['o.ord.test:7050', 'p:2']);
  t.deepEqual(Buffer.from(raftOf(config)[1]!.clientTlsCert), PEM);
  t.deepEqual(Buffer.from(raftOf(config)[1]!.serverTlsCert), OTHER_PEM);
  t.deepEqual(endpointsOf(config), [['o.ord.test:7050', 'public:3']]);
  t.deepEqual(changes, [
    'modified value /Channel/Orderer/ConsensusType',
    'modified value /Channel/Orderer/orderer/Endpoints',
  ]);
});

test('a Raft consenter is removed with its endpoint; adding and removing it restores the bytes', (t) => {
  const edited = removeConsenter(added, 'p:2');
  t.deepEqual(edited.notes, [
    'consenter p:2 removed',
    'p:2 removed from the endpoints of /Channel/Orderer/orderer',
    '1 consenters: 1 of them must be running',
  ]);
  const { config } = applyEdit(t, added, edited);
  const value = (each: Config) => each.channelGroup.groups.get('Orderer')!.values.get('ConsensusType')!.value;
  t.deepEqual(Buffer.from(value(config)), Buffer.from(value(CONFIG)));
  t.deepEqual(endpointsOf(config), [['o.ord.test:7050']]);
});

test('the certificate of a Raft consenter is rotated', (t) => {
  const edited = rotateConsenter(added, 'o.ord.test:7050', { tls: OTHER_PEM });
  const { config, changes } = applyEdit(t, added, edited);
  t.deepEqual(
    raftOf(config).map((each) => [
      each.host,
      Buffer.from(each.clientTlsCert),
      Buffer.from(each.serverTlsCert),
    ]),
    [
      ['o.ord.test', OTHER_PEM, OTHER_PEM],
      ['p', PEM, PEM],
    ],
  );
  t.deepEqual(changes, ['modified value /Channel/Orderer/ConsensusType']);
});

test('the server certificate of a Raft consenter is rotated alone, or differs from the client certificate', (t) => {
  const certificates = ({ config }: Edited): unknown => {
    const { clientTlsCert, serverTlsCert } = raftOf(config)[1]!;
    return [Buffer.from(clientTlsCert), Buffer.from(serverTlsCert)];
  };
  const edited = rotateConsenter(added, 'p:2', { serverTls: OTHER_PEM });
  t.deepEqual(certificates(edited), [PEM, OTHER_PEM]);
  t.deepEqual(edited.notes, [
    'certificates of consenter p:2 replaced',
    'after the update, restart p:2 with the new certificate before the next one is rotated',
  ]);
  t.deepEqual(certificates(rotateConsenter(edited.config, 'p:2', { tls: OTHER_PEM, serverTls: PEM })), [
    OTHER_PEM,
    PEM,
  ]);
});

/** The channel with global addresses and without endpoints. */
const withGlobal = setByPath(
  setByPath(CONFIG, 'channel.ordererAddresses', '["o.ord.test:7050"]').config,
  'orderer.orderer.endpoints',
  '[]',
).config;
const globalOf = (config: Config) => channelOf(config).ordererAddresses;

test('the address of a consenter becomes a global address if the channel has some and its organisation has no endpoints', (t) => {
  const edited = addConsenter(withGlobal, { address: 'p:2', tls: PEM });
  t.is(edited.notes[1], 'p:2 added to the addresses of /Channel/OrdererAddresses');
  t.deepEqual([globalOf(edited.config), endpointsOf(edited.config)], [['o.ord.test:7050', 'p:2'], [[]]]);
  const removed = removeConsenter(edited.config, 'o.ord.test:7050');
  t.is(removed.notes[1], 'o.ord.test:7050 removed from the addresses of /Channel/OrdererAddresses');
  t.deepEqual(globalOf(removed.config), ['p:2']);
  // Without an address the value would make orderers refuse the config.
  const emptied = removeConsenter(
    addConsenter(removed.config, { address: 'q:3', tls: OTHER_PEM, endpoint: 'p:2' }).config,
    'p:2',
  );
  t.false(emptied.config.channelGroup.values.has('OrdererAddresses'));
});

test('an endpoint that the channel has already is not added again', (t) => {
  for (const [before, known] of [
    [CONFIG, endpointsOf],
    [withGlobal, globalOf],
  ] as const) {
    const edited = addConsenter(before, { address: 'p:2', tls: PEM, endpoint: 'o.ord.test:7050' });
    t.deepEqual(known(edited.config), known(before));
    t.deepEqual(edited.notes.slice(0, 2), ['consenter p:2 added', '2 consenters: 2 of them must be running']);
  }
});

/** The channel with a second orderer organisation without endpoints. */
const withTwo = withGroupOf(CONFIG, 'Orderer', ({ groups }) => {
  const { values, ...rest } = groups.get('orderer')!;
  const own = new Map([...values].filter(([name]) => name !== 'Endpoints'));
  return { groups: new Map([...groups, ['second', makeGroup({ ...rest, values: own })]]) };
});

test('of several organisations a new consenter belongs to the one with an endpoint on its host', (t) => {
  const edited = addConsenter(withTwo, { address: 'o.ord.test:9050', tls: PEM });
  t.is(edited.notes[1], 'o.ord.test:9050 added to the endpoints of /Channel/Orderer/orderer');
  const named = addConsenter(withTwo, { address: 'o.ord.test:9050', tls: PEM, organization: 'second' });
  t.is(named.notes[1], 'o.ord.test:9050 added to the endpoints of /Channel/Orderer/second');
});

/** Asserts that BlockValidation has the bytes that Fabric requires. */
function policyOf(config: Config): Buffer {
  return Buffer.from(
    config.channelGroup.groups.get('Orderer')!.policies.get('BlockValidation')!.policy!.value,
  );
}

test('a BFT consenter is added with BlockValidation; the organisation is found by its host or named', (t) => {
  const edited = addConsenter(bft, {
    address: 'p:2',
    tls: PEM,
    identity: OTHER_PEM,
    organization: channelOf(bft).orderer.organizations[0]!.name,
  });
  const { config, changes } = applyEdit(t, bft, edited);
  const [, , , , fifth] = bftOf(config);
  t.like(fifth, {
    id: Math.max(...bftBefore.map(({ id }) => id)) + 1,
    host: 'p',
    port: 2,
    mspId: channelOf(bft).orderer.organizations[0]!.mspId,
  });
  t.deepEqual(policyOf(config), Buffer.from(blockValidationPolicy(bftOf(config)).value));
  t.true(changes.includes('modified policy /Channel/Orderer/BlockValidation'));
  t.true(edited.notes.includes('5 consenters: 4 of them must be running'));
  t.is(edited.notes[1], 'policy /Channel/Orderer/BlockValidation set to match the consenters');
  const chosen = addConsenter(bft, {
    address: 'p:2',
    tls: PEM,
    identity: OTHER_PEM,
    id: 77,
    organization: 'OrdererMSP',
  });
  t.is(bftOf(chosen.config).at(-1)?.id, 77);
});

test('a BFT consenter is removed with BlockValidation', (t) => {
  const { config } = applyEdit(t, bft, removeConsenter(bft, last));
  t.deepEqual(
    bftOf(config).map(({ id }) => id),
    bftBefore.slice(0, 3).map(({ id }) => id),
  );
  t.deepEqual(policyOf(config), Buffer.from(blockValidationPolicy(bftOf(config)).value));
});

test('the TLS certificate of a BFT consenter is rotated alone, its identity with BlockValidation', (t) => {
  const tls = applyEdit(t, bft, rotateConsenter(bft, last, { tls: PEM }));
  t.deepEqual(tls.changes, ['modified value /Channel/Orderer/Orderers']);
  const { config, changes } = applyEdit(t, bft, rotateConsenter(bft, last, { identity: PEM }));
  t.deepEqual(changes, [
    'modified value /Channel/Orderer/Orderers',
    'modified policy /Channel/Orderer/BlockValidation',
  ]);
  t.deepEqual(Buffer.from(bftOf(config).at(-1)!.identity), PEM);
  t.deepEqual(policyOf(config), Buffer.from(blockValidationPolicy(bftOf(config)).value));
});

test('the only endpoint of an organisation stays if V3_0 requires one', (t) => {
  const organization = channelOf(bft).orderer.organizations[0]!.name;
  const single = setEndpoints(bft, organization, [last]).config;
  t.true(
    removeConsenter(single, last).notes.some((note) =>
      note.startsWith(`${last} stays: it is the only endpoint of /Channel/Orderer/${organization}, and V3_0`),
    ),
  );
});

const KEY = Buffer.from('-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n');

/** The channel with two consenters of one address, as no edit makes it. */
const twice = setByPath(
  setByPath(added, 'orderer.consensusType.metadata.consenters.1.host', 'o.ord.test').config,
  'orderer.consensusType.metadata.consenters.1.port',
  '7050',
).config;
const solo = withGroupOf(CONFIG, 'Orderer', ({ values }) => {
  const value = writeMessage(OrdererConsensusType, { type: 'solo' });
  return { values: new Map(values).set('ConsensusType', makeValue({ value })) };
});
const ids = bftBefore.map(({ id }) => id);

const ERRORS: readonly (readonly [what: string, edit: () => unknown, message: string])[] = [
  ['no TLS certificate', () => addConsenter(CONFIG, { address: 'q:2' }), 'the TLS certificate is needed'],
  [
    'a key for the server certificate',
    () => addConsenter(CONFIG, { address: 'q:2', tls: PEM, serverTls: KEY }),
    'the server certificate is a PEM file (PRIVATE KEY); a certificate in PEM is needed',
  ],
  [
    'a key for a rotated server certificate',
    () => rotateConsenter(CONFIG, 'o.ord.test:7050', { serverTls: KEY }),
    'the server certificate is a PEM file (PRIVATE KEY); a certificate in PEM is needed',
  ],
  [
    'a BFT consenter without an identity',
    () => addConsenter(bft, { address: 'q:2', tls: PEM, organization: 'OrdererMSP' }),
    'the signing certificate of a BFT consenter is needed',
  ],
  [
    'the id of another BFT consenter',
    () =>
      addConsenter(bft, { address: 'q:2', tls: PEM, identity: PEM, organization: 'OrdererMSP', id: ids[1]! }),
    `the id ${ids[1]!} is used by another consenter; used are ${ids.join(', ')}`,
  ],
  [
    'rotation to the certificate of another consenter',
    () => rotateConsenter(added, 'o.ord.test:7050', { tls: PEM }),
    'another consenter has this TLS certificate',
  ],
  [
    'rotation of an identity with Raft',
    () => rotateConsenter(added, 'p:2', { identity: PEM }),
    'the consensus type is etcdraft: only BFT consenters have a signing certificate',
  ],
  [
    'an address of two consenters',
    () => removeConsenter(twice, 'o.ord.test:7050'),
    'o.ord.test:7050 is the address of several consenters',
  ],
  [
    'another consensus type',
    () => addConsenter(solo, { address: 'q:2', tls: PEM }),
    'the consensus type is "solo"; etcdraft and BFT have consenters',
  ],
  [
    'a channel without orderers',
    () => addConsenter({ ...CONFIG, channelGroup: makeGroup({}) }, { address: 'q:2', tls: PEM }),
    'the channel has no group Orderer',
  ],
  [
    'a host of no organisation',
    () => addConsenter(withTwo, { address: 'q:2', tls: PEM }),
    'the organisation of the consenter is needed: one of orderer, second',
  ],
  [
    'a host of two organisations',
    () =>
      addConsenter(setEndpoints(withTwo, 'second', ['o.ord.test:1']).config, {
        address: 'o.ord.test:2',
        tls: PEM,
      }),
    'the organisation of the consenter is needed: one of orderer, second',
  ],
  [
    'a consenter that exists',
    () => addConsenter(added, { address: 'p:2', tls: OTHER_PEM }),
    'p:2 is a consenter already; replace its certificates instead',
  ],
  [
    'the certificate of another consenter',
    () => addConsenter(added, { address: 'q:2', tls: PEM }),
    'another consenter has this TLS certificate',
  ],
  [
    'a key for a certificate',
    () => addConsenter(CONFIG, { address: 'q:2', tls: KEY }),
    'the TLS certificate is a PEM file (PRIVATE KEY); a certificate in PEM is needed',
  ],
  [
    'DER for a certificate',
    () => addConsenter(CONFIG, { address: 'q:2', tls: Uint8Array.of(48, 1) }),
    'the TLS certificate is not PEM; a certificate in PEM is needed',
  ],
  [
    'an identity with Raft',
    () => addConsenter(CONFIG, { address: 'q:2', tls: PEM, identity: PEM }),
    'the consensus type is etcdraft: only BFT consenters have a signing certificate',
  ],
  [
    'an id with Raft',
    () => addConsenter(CONFIG, { address: 'q:2', tls: PEM, id: 7 }),
    'the consensus type is etcdraft: only BFT consenters have an id',
  ],
  [
    'the last consenter',
    () => removeConsenter(CONFIG, 'o.ord.test:7050'),
    'o.ord.test:7050 is the only consenter of the channel',
  ],
  [
    'an unknown consenter',
    () => removeConsenter(CONFIG, 'o.ord.test:7051'),
    'o.ord.test:7051 is not a consenter; the consenters are o.ord.test:7050',
  ],
  [
    'rotation to the same certificates',
    () => rotateConsenter(added, 'p:2', { tls: PEM }),
    'consenter p:2 has these certificates already',
  ],
  [
    'rotation without a certificate',
    () => rotateConsenter(added, 'p:2', {}),
    'a new certificate is needed: the TLS certificate, the TLS certificate of the server, or the signing certificate',
  ],
];

for (const [what, edit, message] of ERRORS) test(`refused: ${what}`, (t) => refused(t, edit, message));
