// The faults of MSPs, with Fabric's texts.

import test from 'ava';
import { concatBytes } from '../../../proto/bytes.js';
import { readConfigFile, type Config, type ConfigGroup } from '../../../translator/channel/index.js';
import { readMspConfig } from '../../../translator/msp/config.js';
import { setupChannelMsps, setupMsp, type MspVersion } from '../../../translator/msp/index.js';
import { bytesField, numberField } from '../../helpers/codec.js';
import { bytesIn, readReviewCases } from '../../helpers/review-cases.js';
import { certificateOf, readVectors, type IdentityCases } from '../../helpers/channel-vectors.js';
import { makeCertificate } from '../../helpers/made-certificates.js';

const { msps, configs } = readVectors<IdentityCases>('identity-cases');
const PLAIN = msps
  .map((base64) => Buffer.from(base64, 'base64'))
  .find(
    (bytes, index) => configs['msp-plain']!.msps.includes(index) && readMspConfig(bytes).name === 'Org1MSP',
  )!;
const CA = readMspConfig(PLAIN).roots[0]!;
const NAME = bytesField(1, Buffer.from('Org1MSP'));
const ROOT = bytesField(2, CA);
const NODE_OUS = bytesField(
  11,
  concatBytes(
    numberField(1, 1),
    bytesField(2, bytesField(2, Buffer.from('client'))),
    bytesField(4, bytesField(2, Buffer.from('admin'))),
  ),
);
const EMPTY_OUS = bytesField(11, numberField(1, 1));
const DISABLED_OUS = bytesField(11, bytesField(2, bytesField(2, Buffer.from('client'))));
const OLD_OUS = bytesField(
  11,
  concatBytes(
    numberField(1, 1),
    bytesField(2, bytesField(2, Buffer.from('client'))),
    bytesField(3, bytesField(2, Buffer.from('peer'))),
  ),
);
const ADMIN_TEXT = 'administrators must be declared when no admin ou classification is set';
const LEAF = certificateOf('Org1/admin');

const CASES: readonly (readonly [
  what: string,
  parts: readonly Uint8Array[],
  faults: readonly string[],
  version?: MspVersion,
])[] = [
  ['the MSP of an organisation', [PLAIN], []],
  ['no CA', [NAME, NODE_OUS], ['expected at least one CA certificate']],
  [
    'no CA, unknown hash and garbage as TLS CA',
    [NAME, NODE_OUS, bytesField(8, bytesField(2, Buffer.from('MD5'))), bytesField(9, Buffer.from('x'))],
    [
      'failed getting hash function options: hash function not recognized [MD5]',
      'expected at least one CA certificate',
      'getCertFromPem error: could not decode pem bytes [[120]]',
    ],
  ],
  [
    'text as CA',
    [NAME, NODE_OUS, bytesField(2, Buffer.from('hello'))],
    ['getCertFromPem error: could not decode pem bytes [[104 101 108 108 111]]'],
  ],
  [
    'PEM of garbage as CA',
    [
      NAME,
      NODE_OUS,
      bytesField(2, Buffer.from('-----BEGIN CERTIFICATE-----\naGVsbG8=\n-----END CERTIFICATE-----\n')),
    ],
    ['getCertFromPem error: failed to parse x509 cert: x509: malformed certificate'],
  ],
  [
    'the certificate of an admin as CA',
    [NAME, NODE_OUS, bytesField(2, LEAF)],
    [
      'failed to traverse certificate verification chain for leaf or intermediate certificate, with subject CN=Admin@org1.example.com,OU=admin,L=San Francisco,ST=California,C=US',
    ],
  ],
  [
    'the certificate of an admin as TLS CA',
    [NAME, NODE_OUS, ROOT, bytesField(9, LEAF)],
    ['CA Certificate did not have the CA attribute, (SN: 24b7f665d6ef5cbd7f200b7c862ee79b)'],
  ],
  ['no admin and no node OUs', [NAME, ROOT], [ADMIN_TEXT]],
  ['no admin and no node OUs below V1_4_3', [NAME, ROOT], [], 'V1_3'],
  [
    'an admin of another organisation',
    [NAME, ROOT, NODE_OUS, bytesField(4, certificateOf('Org2/admin'))],
    ['the supplied identity is not valid: x509: certificate signed by unknown authority'],
  ],
  [
    'a peer as admin',
    [NAME, ROOT, NODE_OUS, bytesField(4, certificateOf('Org1/peer0'))],
    [
      'admin 0 is invalid [The identity does not contain OU [CLIENT], MSP: [Org1MSP],The identity does not contain OU [ADMIN], MSP: [Org1MSP]]',
    ],
  ],
  [
    'garbage as revocation list',
    [NAME, ROOT, NODE_OUS, bytesField(5, Buffer.from('x'))],
    ['could not parse RevocationList: asn1: syntax error: truncated tag or length'],
  ],
  [
    'node OUs without a peer OU below V1_4_3',
    [NAME, ROOT, NODE_OUS],
    ['Failed setting up NodeOUs. PeerOU must be different from nil.'],
    'V1_1',
  ],
  ['enabled node OUs without roles, and an admin', [NAME, ROOT, EMPTY_OUS, bytesField(4, LEAF)], []],
  ['enabled node OUs without roles, and no admin', [NAME, ROOT, EMPTY_OUS], [ADMIN_TEXT]],
  ['disabled node OUs', [NAME, ROOT, DISABLED_OUS], [ADMIN_TEXT]],
  [
    'disabled node OUs, and a peer as admin',
    [NAME, ROOT, DISABLED_OUS, bytesField(4, certificateOf('Org1/peer0'))],
    [],
  ],
  [
    'node OUs in V1_0, which does not know them, and a peer as admin',
    [NAME, ROOT, NODE_OUS, bytesField(4, certificateOf('Org1/peer0'))],
    [],
    'V1_0',
  ],
  [
    'node OUs without a client and a peer OU below V1_4_3',
    [NAME, ROOT, EMPTY_OUS],
    [
      'Failed setting up NodeOUs. ClientOU must be different from nil.',
      'Failed setting up NodeOUs. PeerOU must be different from nil.',
    ],
    'V1_1',
  ],
  ['node OUs with a client and a peer OU below V1_4_3', [NAME, ROOT, OLD_OUS], [], 'V1_3'],
  [
    'a peer as admin below V1_4_3',
    [NAME, ROOT, OLD_OUS, bytesField(4, certificateOf('Org1/peer0'))],
    [
      'admin 0 is invalid: The identity is not a [CLIENT] under this MSP [Org1MSP]: The identity does not contain OU [CLIENT], MSP: [Org1MSP]',
    ],
    'V1_1',
  ],
  [
    'two peers as admins',
    [NAME, ROOT, NODE_OUS, bytesField(4, LEAF), bytesField(4, certificateOf('Org1/peer0'))],
    [
      'admin 1 is invalid [The identity does not contain OU [CLIENT], MSP: [Org1MSP],The identity does not contain OU [ADMIN], MSP: [Org1MSP]]',
    ],
  ],
  ['a client as admin', [NAME, ROOT, NODE_OUS, bytesField(4, certificateOf('Org1/user1'))], []],
  [
    'a CA as admin',
    [NAME, ROOT, EMPTY_OUS, bytesField(4, CA)],
    [
      'admin 0 is invalid: could not obtain certification chain: An X509 certificate with Basic Constraint: Certificate Authority equals true cannot be used as an identity',
    ],
  ],
  [
    'an OU with garbage as CA',
    [
      NAME,
      ROOT,
      NODE_OUS,
      bytesField(7, concatBytes(bytesField(1, Buffer.from('x')), bytesField(2, Buffer.from('Finance')))),
    ],
    [
      'failed getting certificate for [certificate:"x" organizational_unit_identifier:"Finance"]: Failed getting certificate for [[120]]: [getCertFromPem error: could not decode pem bytes [[120]]]',
    ],
  ],
  [
    'an OU without a CA',
    [NAME, ROOT, NODE_OUS, bytesField(7, bytesField(2, Buffer.from('Finance')))],
    [
      'failed getting certificate for [organizational_unit_identifier:"Finance"]: Failed getting certificate for [[]]: [getCertFromPem error: nil idBytes]',
    ],
  ],
  [
    'an empty CA beside one',
    [PLAIN, bytesField(2, Buffer.of())],
    ['getCertFromPem error: could not decode pem bytes [[]]'],
  ],
  ['an empty signing identity', [PLAIN, bytesField(6, Buffer.of())], ['getCertFromPem error: nil idBytes']],
  [
    'a signing identity with an empty key',
    [PLAIN, bytesField(6, concatBytes(bytesField(1, LEAF), bytesField(2, bytesField(2, Buffer.of()))))],
    ['KeyMaterial not found in SigningIdentityInfo'],
  ],
  [
    'bytes that are not a message',
    [Uint8Array.of(255)],
    ['failed unmarshalling fabric msp config: proto: cannot parse invalid wire-format data'],
  ],
];

for (const [what, parts, expected, version = 'V1_4_3'] of CASES)
  test(`${what}: ${expected.length === 0 ? 'no fault' : expected.join('; ').slice(0, 150)}`, async (t) => {
    const { faults } = await setupMsp(concatBytes(...parts), version);
    t.deepEqual(faults, expected);
  });

const KEY = makeCertificate({ commonName: 'signer', isCa: false });
const signing = (key: Uint8Array): Uint8Array =>
  bytesField(6, concatBytes(bytesField(1, KEY.pem), bytesField(2, bytesField(2, key))));
for (const [what, key, fault] of [
  ['in PEM', KEY.key.export({ type: 'pkcs8', format: 'pem' }) as string, undefined],
  ['that is not PEM', 'hello', '…: wrong PEM encoding'],
] as const)
  test(`a signing identity with a key ${what}: ${fault ?? 'no fault'}`, async (t) => {
    const { faults } = await setupMsp(concatBytes(PLAIN, signing(Buffer.from(key))), 'V1_4_3');
    t.deepEqual(faults, fault === undefined ? [] : [fault]);
  });

test('a CA and a TLS CA without a subject key identifier are faults', async (t) => {
  const { pem } = makeCertificate({ commonName: 'root', hasKeyId: false });
  const problem =
    /^CA Certificate problem with Subject Key Identifier extension, \(SN: 1[0-9a-f]+\): subjectKeyIdentifier not found in certificate$/;
  const ca = await setupMsp(concatBytes(NAME, NODE_OUS, bytesField(2, pem)), 'V1_4_3');
  t.is(ca.faults.length, 1);
  t.regex(ca.faults[0]!, problem);
  const tls = await setupMsp(concatBytes(PLAIN, bytesField(9, pem)), 'V1_4_3');
  t.is(tls.faults.length, 1);
  t.regex(tls.faults[0]!, problem);
});

for (const [hashFamily, hash] of [
  ['SHA2', 'SHA384'],
  ['SHA3', 'SHA3_256'],
  // Only signatures need the family.
  ['MD5', 'SHA256'],
] as const)
  test(`an MSP with the hash family ${hashFamily} and the hash ${hash} is set up`, async (t) => {
    const crypto = bytesField(8, concatBytes(bytesField(1, hashFamily), bytesField(2, hash)));
    t.deepEqual((await setupMsp(concatBytes(NAME, ROOT, NODE_OUS, crypto), 'V1_4_3')).faults, []);
  });

test('a node OU with a CA that the MSP does not have is a fault', async (t) => {
  const foreign = readMspConfig(
    Buffer.from(
      msps.find((each) => readMspConfig(Buffer.from(each, 'base64')).name === 'OrdererMSP')!,
      'base64',
    ),
  ).roots[0]!;
  const unit = concatBytes(bytesField(1, foreign), bytesField(2, Buffer.from('client')));
  const { faults } = await setupMsp(
    concatBytes(NAME, ROOT, NODE_OUS, bytesField(11, bytesField(2, unit))),
    'V1_4_3',
  );
  t.deepEqual(faults, ['Failed adding OU. Certificate [&{[…] …}] not in root or intermediate certs.']);
});

test('a node OU with an intermediate CA that has issued no CA is no fault', async (t) => {
  const root = makeCertificate({ commonName: 'root', isCa: true });
  const { pem } = makeCertificate({ commonName: 'intermediate', isCa: true, issuer: root });
  const unit = concatBytes(bytesField(1, pem), bytesField(2, Buffer.from('client')));
  const cas = [bytesField(2, root.pem), bytesField(3, pem)];
  const { faults } = await setupMsp(
    concatBytes(NAME, ...cas, NODE_OUS, bytesField(11, bytesField(2, unit))),
    'V1_4_3',
  );
  t.deepEqual(faults, []);
});

test('the value MSP of the group Consortiums is ignored, but not the value of an organisation', async (t) => {
  const { config } = readConfigFile(bytesIn(readReviewCases().configs.consortium!));
  const { groups } = config.channelGroup;
  const msp = groups.get('Application')!.groups.get('Org1')!.values.get('MSP')!;
  // Another content with the same name.
  const other = { ...msp, value: bytesField(2, concatBytes(PLAIN, ROOT)) };
  const withMsp = (name: string, group: ConfigGroup): Config => ({
    ...config,
    channelGroup: { ...config.channelGroup, groups: new Map([...groups, [name, group]]) },
  });
  const consortiums = {
    ...groups.get('Consortiums')!,
    groups: new Map<string, ConfigGroup>(),
    values: new Map([['MSP', other]]),
  };
  t.deepEqual((await setupChannelMsps(withMsp('Consortiums', consortiums))).faults, []);
  const orderer = groups.get('Orderer')!;
  const twice = {
    ...orderer,
    groups: new Map([['Org1', { ...orderer, groups: new Map(), values: new Map([['MSP', other]]) }]]),
  };
  t.deepEqual((await setupChannelMsps(withMsp('Orderer', twice))).faults, [
    {
      path: '/Channel/Orderer/Org1',
      message: 'Attempted to define two different versions of MSP: Org1MSP',
      isJudged: true,
    },
  ]);
});

for (const [what, value, messages] of [
  ['Idemix, which has no certificates', concatBytes(numberField(1, 1), bytesField(2, 'x')), []],
  ['an unknown type', numberField(1, 2), ['Setup error: unsupported msp type 2']],
  [
    'no content',
    new Uint8Array(),
    ['setting up the MSP manager failed: expected at least one CA certificate'],
  ],
  ['bytes that are no message', Uint8Array.of(255), ['proto: cannot parse invalid wire-format data']],
] as const)
  test(`the MSP of an organisation with ${what}: ${messages[0] ?? 'no fault'}`, async (t) => {
    const { config } = readConfigFile(bytesIn(readReviewCases().configs.app2!));
    const { groups } = config.channelGroup;
    const application = groups.get('Application')!;
    const org1 = application.groups.get('Org1')!;
    const changed = {
      ...org1,
      values: new Map([...org1.values, ['MSP', { ...org1.values.get('MSP')!, value }] as const]),
    };
    const { manager, faults } = await setupChannelMsps({
      ...config,
      channelGroup: {
        ...config.channelGroup,
        groups: new Map([
          ...groups,
          ['Application', { ...application, groups: new Map([...application.groups, ['Org1', changed]]) }],
        ]),
      },
    });
    t.deepEqual([...manager.msps.keys()].toSorted(), ['OrdererMSP', 'Org2MSP']);
    t.deepEqual(
      faults
        .filter(({ path }) => path === '/Channel/Application/Org1')
        .map(({ message }) => message)
        .slice(0, 1),
      [...messages],
    );
    t.true(faults.every(({ isJudged, path }) => isJudged && path === '/Channel/Application/Org1'));
  });
