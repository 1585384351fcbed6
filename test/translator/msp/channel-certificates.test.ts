// The certificates in the config of a channel, which programs watch for their expiration.

import test from 'ava';
import { readConfigFile, type Config } from '../../../translator/channel/index.js';
import { channelCertificates } from '../../../translator/msp/index.js';
import { bytesField, numberField } from '../../helpers/codec.js';
import { bytesIn, readReviewCases } from '../../helpers/review-cases.js';

const { configs } = readReviewCases();
const configOf = (name: string): Config => readConfigFile(bytesIn(configs[name]!)).config;
const found = (config: Config): readonly string[] =>
  channelCertificates(config).map(({ mspId = '-', consenter = '-', use }) => `${mspId} ${consenter} ${use}`);

const ofMsps = (...msps: readonly string[]): readonly string[] =>
  msps.flatMap((each) => [`${each}MSP - ca`, `${each}MSP - tls_ca`]);
const raft = [1, 2, 3].flatMap((number) => [
  `- o${number}.ord.example.com:7050 consenter_client_tls`,
  `- o${number}.ord.example.com:7050 consenter_server_tls`,
]);

for (const [what, name, expected] of [
  ['with Raft', 'app2', [...ofMsps('Orderer', 'Org1', 'Org2'), ...raft]],
  [
    'with BFT',
    'bft4',
    [
      ...ofMsps('Orderer', 'Org1', 'Org2'),
      ...[1, 2, 3, 4].flatMap((number) =>
        ['identity', 'client_tls', 'server_tls'].map(
          (use) => `OrdererMSP o${number}.ord.example.com:7050 consenter_${use}`,
        ),
      ),
    ],
  ],
  ['with a consortium', 'consortium', [...ofMsps('Orderer', 'Org1', 'Org2', 'Org1'), ...raft]],
  [
    'with an administrator',
    'msp-admincerts',
    [...ofMsps('Orderer'), 'Org1MSP - ca', 'Org1MSP - admin', 'Org1MSP - tls_ca', ...raft],
  ],
  [
    'with an intermediate CA',
    'msp-intermediate',
    [...ofMsps('Orderer'), 'Org1MSP - ca', 'Org1MSP - intermediate_ca', 'Org1MSP - tls_ca', ...raft],
  ],
] as const)
  test(`the certificates of a channel ${what} are listed with their owner and their use`, (t) => {
    t.deepEqual(found(configOf(name)), expected);
    for (const { pem } of channelCertificates(configOf(name)))
      t.true(Buffer.from(pem).toString().startsWith('-----BEGIN CERTIFICATE-----\n'));
  });

test('an organisation with an Idemix MSP, or without an MSP, has no certificates', (t) => {
  const config = configOf('app2');
  const { groups } = config.channelGroup;
  const application = groups.get('Application')!;
  const org1 = application.groups.get('Org1')!;
  for (const values of [
    new Map([
      ['MSP', { ...org1.values.get('MSP')!, value: Buffer.concat([numberField(1, 1), bytesField(2, 'x')]) }],
    ]),
    new Map<string, never>(),
  ]) {
    const changed = {
      ...application,
      groups: new Map([...application.groups, ['Org1', { ...org1, values }]]),
    };
    const channelGroup = { ...config.channelGroup, groups: new Map([...groups, ['Application', changed]]) };
    t.deepEqual(found({ ...config, channelGroup }), [...ofMsps('Orderer', 'Org2'), ...raft]);
  }
});
