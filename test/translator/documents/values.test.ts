// Values and policies of a config in words, and their changes.

import test from 'ava';
import { makeGroup, makeValue } from '../../../translator/channel/make.js';
import type { ConfigGroup } from '../../../translator/channel/index.js';
import { certificateWords } from '../../../translator/documents/certificate.js';
import { changeText } from '../../../translator/documents/value-change.js';
import { valueChanges } from '../../../translator/documents/values.js';
import {
  batchSizeText,
  durationText,
  policyText,
  sizeText,
  valueText,
} from '../../../translator/documents/values.js';
import {
  parseImplicitMeta,
  parseSignaturePolicy,
  writeImplicitMeta,
  writeSignaturePolicy,
} from '../../../translator/policy/index.js';
import { serialize, type Tree } from '../../fuzz/review/messages.js';
import { makeCertificate } from '../../helpers/made-certificates.js';

const NOW = new Date('2026-11-26T00:00:00Z');

for (const [bytes, text] of [
  [0, '0 bytes'],
  [1000, '1,000 bytes'],
  [1023, '1,023 bytes'],
  [1024, '1 KiB'],
  [1025, '1,025 bytes'],
  [1_047_552, '1023 KiB'],
  [1_048_576, '1 MiB'],
  [1_048_577, '1,048,577 bytes'],
  [1_049_600, '1025 KiB'],
  [10_485_760, '10 MiB'],
] as const)
  test(`a size of ${bytes} is ${text}`, (t) => {
    t.is(sizeText(bytes), text);
  });

for (const [given, text] of [
  ['2s', '2 s'],
  ['500ms', '500 ms'],
  ['1m30.5s', '1 m 30.5 s'],
  ['10µs', '10 µs'],
] as const)
  test(`the duration ${given} is ${text}`, (t) => {
    t.is(durationText(given), text);
  });

for (const [count, text] of [
  [1, '1 message, at most 10 MiB, preferred 2 KiB'],
  [2, '2 messages, at most 10 MiB, preferred 2 KiB'],
] as const)
  test(`a batch size is ${text}`, (t) => {
    t.is(
      batchSizeText({ maxMessageCount: count, absoluteMaxBytes: 10_485_760, preferredMaxBytes: 2048 }),
      text,
    );
  });

/** A group with one value. */
const groupWith = (name: string, value: Uint8Array): ConfigGroup =>
  makeGroup({ values: new Map([[name, makeValue({ value })]]) });

const LONG = ['20260101000000Z', '20360101000000Z'] as const;
const made = (commonName: string): Buffer => makeCertificate({ commonName, validity: LONG }).pem;
const ONE = made('o1');
const TWO = made('o2');
const consenter = (host: string, pem: Uint8Array, server = pem): Tree => ({
  host,
  port: 7,
  client_tls_cert: pem,
  server_tls_cert: server,
});
const raft = (consenters: readonly Tree[], options?: Tree): Uint8Array =>
  serialize('etcdraft.ConfigMetadata', { consenters, ...(options && { options }) });
const consensus = (type: string, metadata: Uint8Array, state = 0): Uint8Array =>
  serialize('orderer.ConsensusType', { type, metadata, state });
const bft = (options: Tree): Uint8Array => serialize('orderer.smartbft.Options', options);
const orderers = (...consenter_mapping: readonly Tree[]): Uint8Array =>
  serialize('common.Orderers', { consenter_mapping });
const bftConsenter = (id: number, host: string, identity: Uint8Array): Tree => ({
  ...consenter(host, ONE),
  id,
  msp_id: 'OrdererMSP',
  identity,
});

const TEXTS: readonly (readonly [path: string, value: Uint8Array, text: string])[] = [
  ['HashingAlgorithm', serialize('common.HashingAlgorithm', { name: 'SHA256' }), 'SHA256'],
  ['HashingAlgorithm', serialize('common.HashingAlgorithm', { name: 'a\nb' }), String.raw`a\nb`],
  ['BlockDataHashingStructure', serialize('common.BlockDataHashingStructure', { width: 9 }), 'width 9'],
  ['Consortium', serialize('common.Consortium', { name: 'C' }), 'C'],
  ['OrdererAddresses', serialize('common.OrdererAddresses', { addresses: ['b:1', 'a:1'] }), 'b:1, a:1'],
  [
    'Orderer/Capabilities',
    serialize('common.Capabilities', { capabilities: { V2_0: {}, V1_1: {} } }),
    'V1_1, V2_0',
  ],
  ['Orderer/KafkaBrokers', serialize('orderer.KafkaBrokers', { brokers: ['k:1'] }), 'k:1'],
  ['Orderer/BatchTimeout', serialize('orderer.BatchTimeout', { timeout: '2s' }), '2s'],
  [
    'Orderer/ChannelRestrictions',
    serialize('orderer.ChannelRestrictions', { max_count: 5 }),
    'at most 5 channels',
  ],
  ['Orderer/ConsensusType', consensus('solo', Buffer.of()), 'solo'],
  ['Orderer/ConsensusType', consensus('solo', Buffer.of(), 1), 'solo, in maintenance'],
  [
    'Orderer/ConsensusType',
    consensus('BFT', bft({ request_batch_max_count: 100 })),
    'BFT, 100 requests per batch',
  ],
  [
    'Orderer/ConsensusType',
    consensus('etcdraft', raft([consenter('a', ONE)])),
    'etcdraft, consenters a:7 (TLS CN=o1 until 2036-01-01)',
  ],
  ['Orderer/Orderers', orderers(bftConsenter(3, 'a', TWO)), '3 a:7 of OrdererMSP (CN=o2 until 2036-01-01)'],
  ['Orderer/O/Endpoints', serialize('common.OrdererAddresses', { addresses: ['a:1'] }), 'a:1'],
  [
    'Application/A/AnchorPeers',
    serialize('protos.AnchorPeers', { anchor_peers: [{ host: '::1', port: 5 }] }),
    '[::1]:5',
  ],
  [
    'Application/ACLs',
    serialize('protos.ACLs', { acls: { 'peer/Propose': { policy_ref: 'Writers' } } }),
    'peer/Propose: Writers',
  ],
  [
    'Application/A/MSP',
    serialize('msp.MSPConfig', {
      config: serialize('msp.FabricMSPConfig', { name: 'A', root_certs: [ONE], admins: [TWO] }),
    }),
    'CA CN=o1 until 2036-01-01; admins: CN=o2 until 2036-01-01',
  ],
  [
    'Consortiums/C/ChannelCreationPolicy',
    serialize('common.Policy', { type: 3, value: writeImplicitMeta(parseImplicitMeta('ANY Admins')) }),
    'ANY Admins',
  ],
  ['Orderer/Other', Buffer.from('abc'), '3 bytes'],
  ['Other/Value', Buffer.from('ab'), '2 bytes'],
  [
    'Orderer/BatchSize',
    Buffer.from('ff', 'hex'),
    'it cannot be read: proto: cannot parse invalid wire-format data',
  ],
];

for (const [path, value, text] of TEXTS)
  test(`a new value ${path} is: ${text}`, (t) => {
    const names = path.split('/');
    t.is(valueText(names, groupWith(names.at(-1)!, value), NOW), text);
  });

for (const [policy, text] of [
  [undefined, 'no policy'],
  [{ type: 1, value: writeSignaturePolicy(parseSignaturePolicy("OR('A.admin')")) }, "OR('A.admin')"],
  [{ type: 3, value: writeImplicitMeta(parseImplicitMeta('ALL Admins')) }, 'ALL Admins'],
  [{ type: 2, value: Buffer.of() }, 'a policy of unknown type 2'],
  [{ type: 1, value: Buffer.from('ff', 'hex') }, 'a policy that cannot be read'],
] as const)
  test(`a policy in words: ${text}`, (t) => {
    t.is(policyText(policy), text);
  });

const [WORDS_ONE, WORDS_TWO] = [ONE, TWO].map(certificateWords) as [string, string];

const CHANGES: readonly (readonly [
  what: string,
  path: string,
  before: Uint8Array | undefined,
  after: Uint8Array | undefined,
  texts: readonly string[],
])[] = [
  [
    'a list of addresses',
    'OrdererAddresses',
    serialize('common.OrdererAddresses', { addresses: ['a:1', 'b:1'] }),
    serialize('common.OrdererAddresses', { addresses: ['b:1', 'c:1'] }),
    ['a:1 removed', 'c:1 added'],
  ],
  [
    'a new capability',
    'Application/Capabilities',
    undefined,
    serialize('common.Capabilities', { capabilities: { V2_0: {} } }),
    ['V2_0 added'],
  ],
  [
    'ACLs',
    'Application/ACLs',
    serialize('protos.ACLs', {
      acls: { a: { policy_ref: 'A' }, b: { policy_ref: 'B' }, d: { policy_ref: 'D' } },
    }),
    serialize('protos.ACLs', {
      acls: { b: { policy_ref: 'X' }, c: { policy_ref: 'C' }, d: { policy_ref: 'D' } },
    }),
    ['a removed, the default applies', 'b B → X', 'c needs C'],
  ],
  [
    'a state',
    'Orderer/ConsensusType',
    consensus('etcdraft', raft([]), 0),
    consensus('etcdraft', raft([]), 1),
    ['state normal → maintenance'],
  ],
  [
    'an unknown state',
    'Orderer/ConsensusType',
    consensus('etcdraft', raft([]), 1),
    consensus('etcdraft', raft([]), 7),
    ['state maintenance → 7'],
  ],
  [
    'the metadata of an unknown type',
    'Orderer/ConsensusType',
    consensus('solo', Buffer.of()),
    consensus('solo', Buffer.from('x')),
    ['metadata changed in a way that is not shown'],
  ],
  [
    'nothing of an unknown type',
    'Orderer/ConsensusType',
    consensus('solo', Buffer.from('x')),
    consensus('solo', Buffer.from('x')),
    [],
  ],
  [
    'BFT options',
    'Orderer/ConsensusType',
    consensus('BFT', bft({ request_batch_max_count: 1 })),
    consensus('BFT', bft({ request_batch_max_count: 2 })),
    ['requestBatchMaxCount 1 → 2'],
  ],
  [
    'a switch to Raft',
    'Orderer/ConsensusType',
    consensus('BFT', bft({ request_batch_max_count: 1 })),
    consensus('etcdraft', raft([consenter('a', ONE)])),
    ['type BFT → etcdraft', `consenter a:7 added (TLS certificate ${WORDS_ONE})`],
  ],
  [
    'Raft options',
    'Orderer/ConsensusType',
    consensus('etcdraft', raft([], { election_tick: 10 })),
    consensus('etcdraft', raft([], { election_tick: 11 })),
    ['electionTick 10 → 11'],
  ],
  [
    'the certificate of a Raft consenter',
    'Orderer/ConsensusType',
    consensus('etcdraft', raft([consenter('a', ONE)])),
    consensus('etcdraft', raft([consenter('a', TWO)])),
    [`consenter a:7 replaced (TLS certificate ${WORDS_ONE} → ${WORDS_TWO})`],
  ],
  [
    'the certificate and address of a Raft consenter',
    'Orderer/ConsensusType',
    consensus('etcdraft', raft([consenter('a', ONE)])),
    consensus('etcdraft', raft([consenter('b', TWO)])),
    [`consenter a:7 → b:7 replaced (TLS certificate ${WORDS_ONE} → ${WORDS_TWO})`],
  ],
  [
    'a Raft consenter less',
    'Orderer/ConsensusType',
    consensus('etcdraft', raft([consenter('a', ONE), consenter('b', TWO)])),
    consensus('etcdraft', raft([consenter('b', TWO)])),
    [`consenter a:7 removed (TLS certificate ${WORDS_ONE})`],
  ],
  [
    'a Raft consenter more with two certificates',
    'Orderer/ConsensusType',
    consensus('etcdraft', raft([])),
    consensus('etcdraft', raft([consenter('a', ONE, TWO)])),
    [`consenter a:7 added (TLS certificate ${WORDS_ONE}, server ${WORDS_TWO})`],
  ],
  [
    'the address of a Raft consenter',
    'Orderer/ConsensusType',
    consensus('etcdraft', raft([consenter('a', ONE)])),
    consensus('etcdraft', raft([consenter('b', ONE)])),
    ['consenter a:7 moves to b:7'],
  ],
  [
    'the server certificate of a Raft consenter',
    'Orderer/ConsensusType',
    consensus('etcdraft', raft([consenter('a', ONE)])),
    consensus('etcdraft', raft([consenter('a', ONE, TWO)])),
    [`consenter a:7: server certificate ${WORDS_ONE} → ${WORDS_TWO}`],
  ],
  [
    'the order of Raft consenters',
    'Orderer/ConsensusType',
    consensus('etcdraft', raft([consenter('a', ONE), consenter('b', TWO)])),
    consensus('etcdraft', raft([consenter('b', TWO), consenter('a', ONE)])),
    ['consenters: reordered'],
  ],
  [
    'a BFT consenter more and one less',
    'Orderer/Orderers',
    orderers(bftConsenter(1, 'a', ONE), bftConsenter(2, 'b', ONE)),
    orderers(bftConsenter(2, 'b', ONE), bftConsenter(3, 'c', TWO)),
    ['consenter 1 (a:7, OrdererMSP) removed', `consenter 3 (c:7, OrdererMSP) added (${WORDS_TWO})`],
  ],
  [
    'the fields of a BFT consenter',
    'Orderer/Orderers',
    orderers(bftConsenter(1, 'a', ONE)),
    orderers({ ...bftConsenter(1, 'b', TWO), msp_id: 'X', server_tls_cert: TWO }),
    [
      'consenter 1 (b:7, X): address a:7 → b:7',
      'consenter 1 (b:7, X): MSP id OrdererMSP → X',
      `consenter 1 (b:7, X): identity ${WORDS_ONE} → ${WORDS_TWO}`,
      `consenter 1 (b:7, X): server TLS certificate ${WORDS_ONE} → ${WORDS_TWO}`,
    ],
  ],
  [
    'the order of BFT consenters',
    'Orderer/Orderers',
    orderers(bftConsenter(1, 'a', ONE), bftConsenter(2, 'b', ONE)),
    orderers(bftConsenter(2, 'b', ONE), bftConsenter(1, 'a', ONE)),
    ['consenters: reordered'],
  ],
  [
    'two BFT consenters with one id',
    'Orderer/Orderers',
    orderers(bftConsenter(1, 'a', ONE)),
    orderers(bftConsenter(1, 'a', ONE), bftConsenter(1, 'a', ONE)),
    ['two consenters have one id: changed in a way that is not shown'],
  ],
  [
    'one of two BFT consenters with one id',
    'Orderer/Orderers',
    orderers(bftConsenter(1, 'a', ONE), bftConsenter(1, 'a', ONE)),
    orderers(bftConsenter(1, 'a', ONE)),
    ['two consenters have one id: changed in a way that is not shown'],
  ],
  [
    'bytes that do not parse',
    'Orderer/BatchSize',
    Buffer.of(),
    Buffer.from('ff', 'hex'),
    ['changed in a way that is not shown'],
  ],
  ['an unknown value', 'Orderer/Other', Buffer.of(), Buffer.from('x'), []],
];

for (const [what, path, before, after, texts] of CHANGES)
  test(`a changed value, ${what}: ${texts.join('; ').replaceAll(/SHA-256 \w+…/g, 'SHA') || 'no words'}`, (t) => {
    const names = path.split('/');
    const group = (value: Uint8Array | undefined) => value && groupWith(names.at(-1)!, value);
    t.deepEqual(valueChanges(names, [group(before), group(after)]).map(changeText), texts);
  });

test('a new Raft consenter is named with the organisation of the TLS CA that issued its certificate', (t) => {
  const ca = makeCertificate({ commonName: 'tlsca', validity: LONG });
  const pem = makeCertificate({ commonName: 'o3', issuer: ca, validity: LONG }).pem;
  const organization = (name: string, ...tls: readonly Uint8Array[]): ConfigGroup =>
    groupWith(
      'MSP',
      serialize('msp.MSPConfig', {
        config: serialize('msp.FabricMSPConfig', {
          name,
          tls_root_certs: [ONE],
          tls_intermediate_certs: tls,
        }),
      }),
    );
  const orderer = (value: Uint8Array): ConfigGroup =>
    makeGroup({
      values: new Map([['ConsensusType', makeValue({ value })]]),
      groups: new Map([
        ['A', organization('AMSP')],
        ['B', organization('BMSP', ca.pem)],
      ]),
    });
  const added = `consenter a:7 added (TLS certificate ${certificateWords(pem)}, BMSP)`;
  for (const [before, texts] of [
    [consensus('etcdraft', raft([])), [added]],
    [consensus('solo', Buffer.from('x')), ['type solo → etcdraft', added]],
  ] as const)
    t.deepEqual(
      valueChanges(
        ['Orderer', 'ConsensusType'],
        [orderer(before), orderer(consensus('etcdraft', raft([consenter('a', pem)])))],
      ).map(changeText),
      [...texts],
    );
});
