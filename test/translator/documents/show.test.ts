// Channels and updates as data and as text.

import { gunzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import test from 'ava';
import { encode } from '../../../proto/index.js';
import { readConfigFile, readUpdateFile } from '../../../translator/channel/index.js';
import {
  channelDocument,
  documentText,
  summariseCertificate,
  summariseChannel,
  summariseUpdate,
  updateDocument,
  type ChannelSummary,
} from '../../../translator/documents/index.js';
import { certificateText } from '../../../translator/documents/certificate.js';
import { readUpdate } from '../../../translator/channel/envelope.js';
import { signEnvelope } from '../../../translator/sign/index.js';
import { readSigningIdentity } from '../../../translator/sign/signing-identity.js';
import { readChannelCases } from '../../helpers/channel-cases.js';
import { certificateOf, IDENTITIES, readVectors } from '../../helpers/channel-vectors.js';

const { configs, cases } = readChannelCases();
const NOW = new Date('2026-11-22T00:00:00Z');
const summaryOf = (name: string): Promise<ChannelSummary> =>
  summariseChannel(readConfigFile(configs.get(name)!));

test('a BFT channel on one screen', async (t) => {
  t.is(
    documentText(channelDocument(await summaryOf('bft4'), NOW)),
    `a channel, config, sequence 3
  capabilities  channel V3_0; orderer V2_0; application V2_5
  hashing       SHA256
orderer BFT, 4 consenters, quorum 3: 1 may fail
  1 OrdererMSP  o1.ord.example.com:7050  CN=o1.ord.example.com until 2036-11-18, TLS CN=o1.ord.example.com until 2036-11-18
  2 OrdererMSP  o2.ord.example.com:7050  CN=o2.ord.example.com until 2036-11-18, TLS CN=o2.ord.example.com until 2036-11-18
  3 OrdererMSP  o3.ord.example.com:7050  CN=o3.ord.example.com until 2036-11-18, TLS CN=o3.ord.example.com until 2036-11-18
  4 OrdererMSP  o4.ord.example.com:7050  CN=o4.ord.example.com until 2036-11-18, TLS CN=o4.ord.example.com until 2036-11-18
  batch  500 messages, at most 10 MiB, preferred 2 MiB, after 2s
organisations
  Orderer/OrdererOrg  MSP OrdererMSP, NodeOUs
    CA          CN=ca.ord.example.com until 2036-11-18
    admins      OU admin
    endpoints   o1.ord.example.com:7050
    policies    Admins OR('OrdererMSP.admin'); Readers OR('OrdererMSP.member'); Writers OR('OrdererMSP.member')
    changed by  OrdererMSP.admin
  Application/Org1  MSP Org1MSP, NodeOUs
    CA            CN=ca.org1.example.com until 2036-11-18
    admins        OU admin
    anchor peers  peer0.org1.example.com:7051
    policies      Admins OR('Org1MSP.admin'); Endorsement OR('Org1MSP.peer'); Readers OR('Org1MSP.admin', 'Org1MSP.peer', 'Org1MSP.client'); Writers OR('Org1MSP.admin', 'Org1MSP.client')
    changed by    Org1MSP.admin
  Application/Org2  MSP Org2MSP, NodeOUs
    CA            CN=ca.org2.example.com until 2036-11-18
    admins        OU admin
    anchor peers  peer0.org2.example.com:7051
    policies      Admins OR('Org2MSP.admin'); Endorsement OR('Org2MSP.peer'); Readers OR('Org2MSP.admin', 'Org2MSP.peer', 'Org2MSP.client'); Writers OR('Org2MSP.admin', 'Org2MSP.client')
    changed by    Org2MSP.admin
policies
  /Channel/Admins                            MAJORITY Admins (2 of Application, Orderer)
  /Channel/Readers                           ANY Readers (1 of Application, Orderer)
  /Channel/Writers                           ANY Writers (1 of Application, Orderer)
  /Channel/Application/Admins                MAJORITY Admins (2 of Org1, Org2)
  /Channel/Application/Endorsement           MAJORITY Endorsement (2 of Org1, Org2)
  /Channel/Application/LifecycleEndorsement  MAJORITY Endorsement (2 of Org1, Org2)
  /Channel/Application/Readers               ANY Readers (1 of Org1, Org2)
  /Channel/Application/Writers               ANY Writers (1 of Org1, Org2)
  /Channel/Orderer/Admins                    MAJORITY Admins (1 of OrdererOrg)
  /Channel/Orderer/BlockValidation           OutOf(3, the certificate CN=o1.ord.example.com (SHA-256 e8ca474a60d1840e…) of OrdererMSP, the certificate CN=o2.ord.example.com (SHA-256 1ca06b88754dca60…) of OrdererMSP, the certificate CN=o3.ord.example.com (SHA-256 48af3ba73b247588…) of OrdererMSP, the certificate CN=o4.ord.example.com (SHA-256 a3052ab9d2e470e2…) of OrdererMSP)
  /Channel/Orderer/Readers                   ANY Readers (1 of OrdererOrg)
  /Channel/Orderer/Writers                   ANY Writers (1 of OrdererOrg)
who may change what
  /Channel              /Channel/Admins              Org1MSP.admin and Org2MSP.admin and OrdererMSP.admin
  /Channel/Application  /Channel/Application/Admins  Org1MSP.admin and Org2MSP.admin
  /Channel/Orderer      /Channel/Orderer/Admins      OrdererMSP.admin
`,
  );
});

test('a system channel has consortiums, and their organisations are listed', async (t) => {
  const summary = await summaryOf('consortium');
  t.deepEqual(summary.consortiums, ['SampleConsortium']);
  t.true(summary.organizations.some(({ section }) => section === 'Consortiums/SampleConsortium'));
  t.true(documentText(channelDocument(summary, NOW)).includes('\n  consortiums   SampleConsortium\n'));
});

test('a Kafka channel of Fabric 1.x has brokers, lists of admins, and no quorum', async (t) => {
  const json = gunzipSync(
    readFileSync('test/vectors/translator/genesis/genesis.relic-kafka.config.decode.res.json.gz'),
  );
  const summary = await summariseChannel(readConfigFile(json, encode));
  t.is(summary.orderer?.type, 'kafka');
  t.is(summary.orderer?.quorum, undefined);
  t.deepEqual(summary.orderer?.kafkaBrokers, ['k0.kafka:9092', 'k1.kafka:9092', '[fd00::1]:9092']);
  const text = documentText(channelDocument(summary, NOW));
  t.is(
    text.slice(0, text.indexOf('\npolicies')),
    `a channel, config, sequence 0
  capabilities  channel V1_3; orderer V1_1; application none
  hashing       SHA256
  orderers      k0.old.relic.example:7050
  consortiums   Antique
orderer kafka
  batch    500 messages, at most 10 MiB, preferred 2 MiB, after 2s
  brokers  k0.kafka:9092, k1.kafka:9092, [fd00::1]:9092
organisations
  Orderer/OldOrg  MSP OldMSP, NodeOUs
    CA          CN=ca.old.relic.example until 2036-11-17
    admins      nobody
    policies    Admins OR('OldMSP.admin'); Endorsement OR('OldMSP.member'); Readers OR('OldMSP.member'); Writers OR('OldMSP.member')
    changed by  OldMSP.admin
  Consortiums/Antique/DustyOrg  MSP DustyMSP
    CA          CN=ca.dusty.relic.example until 2036-11-17
    admins      CN=Admin@dusty.relic.example until 2036-11-17
    policies    Admins OR('DustyMSP.admin'); Endorsement OR('DustyMSP.member'); Readers OR('DustyMSP.member'); Writers OR('DustyMSP.member')
    changed by  DustyMSP.admin`,
  );
});

test('the JSON has stable fields', async (t) => {
  const { permissions, policies, organizations, ...summary } = await summaryOf('raft1');
  t.deepEqual(
    { ...summary, organization: organizations[0], policy: policies[0], permission: permissions[0] },
    {
      kind: 'channel',
      form: 'config',
      sequence: '3',
      capabilities: { channel: ['V2_0'], orderer: ['V2_0'], application: ['V2_5'] },
      hashingAlgorithm: 'SHA256',
      ordererAddresses: [],
      orderer: {
        type: 'etcdraft',
        maintenance: false,
        consenters: [
          {
            address: 'o1.ord.example.com:7050',
            clientTls: {
              subject: 'CN=o1.ord.example.com',
              issuer: 'CN=tlsca.ord.example.com',
              notBefore: '2026-11-21T23:18:00.000Z',
              notAfter: '2036-11-18T23:18:00.000Z',
            },
            serverTls: {
              subject: 'CN=o1.ord.example.com',
              issuer: 'CN=tlsca.ord.example.com',
              notBefore: '2026-11-21T23:18:00.000Z',
              notAfter: '2036-11-18T23:18:00.000Z',
            },
          },
        ],
        quorum: { consenters: 1, quorum: 1, mayFail: 0 },
        kafkaBrokers: [],
        batch: {
          maxMessageCount: 500,
          absoluteMaxBytes: 10485760,
          preferredMaxBytes: 2097152,
          timeout: '2s',
        },
        maxChannels: '0',
      },
      acls: [],
      organization: {
        section: 'Orderer',
        name: 'OrdererOrg',
        mspid: 'OrdererMSP',
        msp: {
          type: 'fabric',
          nodeOus: true,
          adminUnit: 'admin',
          admins: [],
          rootCas: [
            {
              subject: 'CN=ca.ord.example.com',
              issuer: 'CN=ca.ord.example.com',
              notBefore: '2026-11-21T23:18:00.000Z',
              notAfter: '2036-11-18T23:18:00.000Z',
            },
          ],
          intermediateCas: [],
          tlsCas: [
            {
              subject: 'CN=tlsca.ord.example.com',
              issuer: 'CN=tlsca.ord.example.com',
              notBefore: '2026-11-21T23:18:00.000Z',
              notAfter: '2036-11-18T23:18:00.000Z',
            },
          ],
          revocationLists: 0,
        },
        anchorPeers: [],
        endpoints: ['o1.ord.example.com:7050'],
      },
      policy: { path: '/Channel/Admins', text: 'MAJORITY Admins (2 of Application, Orderer)', valid: true },
      permission: {
        path: '/Channel',
        kind: 'group',
        policy: '/Channel/Admins',
        signers: 'Org1MSP.admin and OrdererMSP.admin',
        control: 'Org1MSP and OrdererMSP',
      },
    },
  );
});

for (const [time, expected] of [
  ['2026-11-22T00:00:00Z', 'CN=ca.org1.example.com until 2036-11-18'],
  ['2040-01-01T00:00:00Z', 'CN=ca.org1.example.com expired on 2036-11-18'],
  ['2020-01-01T00:00:00Z', 'CN=ca.org1.example.com from 2026-11-21 until 2036-11-18'],
] as const)
  test(`the CA of Org1 on ${time.slice(0, 10)}: ${expected}`, async (t) => {
    const { organizations } = await summaryOf('app3');
    const [ca] = organizations.find(({ name }) => name === 'Org1')!.msp.rootCas;
    t.is(certificateText(ca!, new Date(time)), expected);
  });

for (const [what, pem, error] of [
  ['nothing', '', 'there is no certificate'],
  ['a text', 'ca.org1.example.com', 'this is not PEM'],
] as const)
  test(`${what} in the place of a certificate: ${error}`, (t) => {
    const certificate = summariseCertificate(Buffer.from(pem));
    t.deepEqual(certificate, { error });
    t.is(certificateText(certificate, NOW), `an unreadable certificate (${error})`);
  });

test('names with control characters do not reach the terminal', async (t) => {
  const summary = await summaryOf('raft1');
  const text = documentText(channelDocument({ ...summary, channel: 'a\u001b[2Jb\nc' }, NOW));
  t.is(text.split('\n', 1)[0], String.raw`channel a\u001b[2Jb\nc, config, sequence ${summary.sequence}`);
});

test('an envelope shows header, changes, signatures and submitter', async (t) => {
  const before = Buffer.from(readVectors<readonly { before: string }[]>('sign-cases')[0]!.before, 'base64');
  const signer = await readSigningIdentity({
    mspid: 'Org1MSP',
    certificate: certificateOf('Org1/admin'),
    key: Buffer.from(IDENTITIES['Org1/admin']!.key),
  });
  const file = readUpdateFile(await signEnvelope(before, signer, NOW));
  t.is(
    documentText(updateDocument(summariseUpdate(file, NOW), NOW)),
    `config update of channel testchannel
  time  2026-11-22T00:00:00.000Z
changes
  ~ /Channel/Application/M01 (policy)  changed, version 1: ANY Writers
signatures
  Org1MSP  CN=Admin@org1.example.com until 2036-11-18
submitter
  Org1MSP  CN=Admin@org1.example.com until 2036-11-18
`,
  );
});

const CHANGES: readonly (readonly [id: string, changes: readonly string[]])[] = [
  [
    'versions-001',
    [
      '~ /Channel/Orderer/BatchSize  changed, version 5: 10 messages, at most 1,000,000 bytes, preferred 1,000 bytes',
    ],
  ],
  ['versions-016', ['none: the update has no effect']],
  [
    'versions-025',
    [
      '~ /Channel/Application (group)  changed, version 3: members ACLs, Admins, Capabilities, Endorsement, LifecycleEndorsement, Org1, Org2, Readers, Writers',
      '- /Channel/Application/Org3 (group)  removed',
    ],
  ],
  [
    'content-028',
    [
      '~ /Channel/Application (group)  changed, version 1: members ACLs, Admins, Capabilities, Endorsement, LifecycleEndorsement, Org1, Org2, Org3, Readers, Writers',
      '+ /Channel/Application/ACLs  added: nothing/Nothing: , peer/Propose: /Channel/Application/Nobody',
    ],
  ],
  ['content-066', ['~ /Channel/Application/Org1/MSP  changed, version 1: CA none; admins: OU admin']],
  [
    'content-101',
    [
      '~ /Channel/Application (group)  changed, version 1: members Admins, Capabilities, Endorsement, LifecycleEndorsement, New, Org1, Org2, Org3, Readers, Writers',
      '+ /Channel/Application/New (policy)  added: a policy of unknown type 9',
    ],
  ],
  [
    'consenters-014',
    [
      '~ /Channel/Orderer/ConsensusType  changed, version 1: etcdraft, consenters o1.ord.example.com:7050 (TLS CN=o1.ord.example.com until 2036-11-18), o2.ord.example.com:7050 (TLS CN=o2.ord.example.com until 2036-11-18), o3.ord.example.com:7050 (TLS CN=o3.ord.example.com until 2036-11-18), o4.ord.example.com:7050 (TLS CN=o4.ord.example.com until 2036-11-18)',
    ],
  ],
  [
    'bft-008',
    [
      '~ /Channel/Orderer/Orderers  changed, version 1: 1 o1.ord.example.com:7050 of OrdererMSP (CN=o1.ord.example.com until 2036-11-18), 2 o2.ord.example.com:7050 of OrdererMSP (CN=o2.ord.example.com until 2036-11-18), 3 o3.ord.example.com:7050 of OrdererMSP (CN=o3.ord.example.com until 2036-11-18), 4 o4.ord.example.com:7050 of OrdererMSP (CN=o4.ord.example.com until 2036-11-18)',
    ],
  ],
  [
    'bft-013',
    [
      '~ /Channel/Orderer (group)  changed, version 1: members Admins, BatchSize, BatchTimeout, BlockValidation, Capabilities, ChannelRestrictions, ConsensusType, OrdererOrg, Readers, Writers',
    ],
  ],
  [
    'versions-035',
    [
      '~ /Channel/Application (group)  changed, version 1: members .., Admins, Capabilities, Endorsement, LifecycleEndorsement, Org1, Org2, Org3, Readers, Writers',
      '+ /Channel/Application/.. (policy)  added: ANY Readers',
    ],
  ],
];

for (const [id, changes] of CHANGES)
  test(`the update of ${id}: ${changes.join('; ')}`, (t) => {
    const { update } = cases.find((each) => each.id === id)!;
    const lines = documentText(updateDocument(summariseUpdate(readUpdate(update), NOW), NOW)).split('\n');
    t.deepEqual(
      lines.slice(2, lines.indexOf('signatures')).map((line) => line.trim()),
      changes,
    );
  });

test('everything recorded can be shown', async (t) => {
  const updates = cases.map(({ id, update }) => [id, update] as const);
  for (const [name, bytes] of [...configs, ...updates]) {
    const file = configs.has(name) ? readConfigFile(bytes) : readUpdate(bytes);
    const text =
      file.kind === 'config'
        ? documentText(channelDocument(await summariseChannel(file), NOW))
        : documentText(updateDocument(summariseUpdate(file, NOW), NOW));
    t.true(text.endsWith('\n'));
    t.notRegex(text, /undefined|\[object/);
  }
});
