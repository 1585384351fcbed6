// Certificates, their description, chains of consenters, principals.

import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import test from 'ava';
import { dependsOnGo } from '../../../translator/msp/certificate.js';
import { readMspConfig } from '../../../translator/msp/config.js';
import { TranslateError } from '../../../proto/errors.js';
import { fabricMsp } from '../../../translator/edit/index.js';
import { describeCertificate } from '../../../translator/documents/index.js';
import {
  consenterError,
  decodePem,
  encodePem,
  readCertificate,
  readPemCertificate,
  setupMsp,
  type Certificate,
  type Identity,
  type Principal,
} from '../../../translator/msp/index.js';
import {
  certificateOf,
  IDENTITIES,
  readVectors,
  serializedIdentity,
  type IdentityCases,
} from '../../helpers/channel-vectors.js';
import { makeCertificate } from '../../helpers/made-certificates.js';

const derOf = (name: string): Uint8Array => decodePem(certificateOf(name))?.bytes ?? certificateOf(name);
const seconds = (time: Date): string => time.toISOString().replace('.000Z', 'Z');
const { msps } = readVectors<IdentityCases>('identity-cases');
const ORG1 = msps
  .map((each) => Buffer.from(each, 'base64'))
  .find((each) => readMspConfig(each).name === 'Org1MSP')!;
const CA = readCertificate(decodePem(readMspConfig(ORG1).roots[0]!)!.bytes);

for (const [name, recorded] of Object.entries(IDENTITIES))
  test(`${name}: the fields of the certificate are the same as in Go`, (t) => {
    const { subject, issuer, serial, notBefore, notAfter } = readCertificate(derOf(name));
    t.deepEqual(
      [subject.text, issuer.text, String(serial), seconds(notBefore), seconds(notAfter), subject.units],
      [
        recorded.subject,
        recorded.issuer,
        recorded.serial,
        recorded.notBefore,
        recorded.notAfter,
        recorded.ous ?? [],
      ],
    );
  });

test('a certificate is described on one line', async (t) => {
  const hash = new X509Certificate(certificateOf('Org1/p384')).fingerprint256
    .replaceAll(':', '')
    .slice(0, 16)
    .toLowerCase();
  t.is(
    describeCertificate(readCertificate(derOf('Org1/p384'))),
    `CN=p384@org1.example.com, issuer CN=ca.org1.example.com, 2026-11-21 to 2036-11-18, P-384, SHA-256 ${hash}…`,
  );
});

test('every truncated or changed certificate is read or refused with a TranslateError', (t) => {
  const der = derOf('Org1/admin');
  for (let at = 0; at < der.length; at++) {
    t.throws(() => readCertificate(der.subarray(0, at)), { instanceOf: TranslateError });
    const changed = Uint8Array.from(der);
    changed[at]! ^= 0xff;
    try {
      readCertificate(changed);
    } catch (error) {
      t.true(error instanceof TranslateError, `${at}: ${String(error)}`);
    }
  }
});

test('a certificate of more than 1 MiB is refused', (t) => {
  t.throws(() => readCertificate(Buffer.alloc(1_048_576)), { message: 'x509: malformed certificate' });
  t.throws(() => readCertificate(Buffer.alloc(1_048_577)), {
    message: 'x509: certificate of 1048577 bytes; at most 1048576 are allowed',
  });
});

const { pem: SHORT } = makeCertificate({ commonName: 'short' });
/** The same certificate in PEM that differs in the text before it. */
const withText = (text: string | number): Buffer => Buffer.concat([Buffer.from(`${text}\n`), SHORT]);

test('the last 2,000 certificates are cached, so that the certificates of many channels do not fill the memory', (t) => {
  const [first, second] = [readPemCertificate(withText(0)), readPemCertificate(withText(1))];
  for (let number = 2; number < 2000; number++) readPemCertificate(withText(number));
  t.is(readPemCertificate(withText(0)), first, 'the oldest one of 2,000');
  readPemCertificate(withText(2000));
  t.is(readPemCertificate(withText(0)), first, 'it was used a short time ago');
  t.not(readPemCertificate(withText(1)), second, 'the one that was not used for the longest time');
});

test('certificates in PEM of at most 8,192 bytes are cached, for each version of Go', (t) => {
  const ofSize = (size: number): Buffer => withText('x'.repeat(size - SHORT.length - 1));
  t.is(ofSize(8192).length, 8192);
  t.is(readPemCertificate(ofSize(8192)), readPemCertificate(ofSize(8192)));
  t.not(readPemCertificate(ofSize(8193)), readPemCertificate(ofSize(8193)));
  const [older, newer] = (['1.22', '1.26'] as const).map((go) => readPemCertificate(SHORT, go)?.go);
  t.deepEqual([older, newer, readPemCertificate(SHORT)?.go], ['1.22', '1.26', '1.23']);
});

const consenter = (name: string): Parameters<typeof consenterError>[0] => ({
  host: 'o1.example.com',
  port: 7050,
  clientTlsCert: certificateOf(name),
  serverTlsCert: certificateOf(name),
});
const TIME = 'x509: certificate has expired or is not yet valid: current time';

for (const [name, now, roots, ignoreExpiration, reason] of [
  ['Org1/admin', '2027-01-01T00:00:00Z', [CA], false, undefined],
  [
    'Org1/admin',
    '2037-01-01T00:00:00Z',
    [CA],
    false,
    `${TIME} 2037-01-01T00:00:00Z is after 2036-11-18T23:18:00Z`,
  ],
  ['Org1/admin', '2037-01-01T00:00:00Z', [CA], true, undefined],
  [
    'Org1/admin',
    '2025-01-01T00:00:00Z',
    [CA],
    false,
    `${TIME} 2025-01-01T00:00:00Z is before 2026-11-21T23:18:00Z`,
  ],
  ['Org1/admin', '2027-01-01T00:00:00Z', [], true, 'x509: certificate signed by unknown authority'],
  [
    'Org1/foreign',
    '2027-01-01T00:00:00Z',
    [CA],
    false,
    'x509: certificate signed by unknown authority (possibly because of "x509: ECDSA verification failure" while trying to verify candidate authority certificate "ca.org1.example.com")',
  ],
] as readonly (readonly [string, string, readonly Certificate[], boolean, string | undefined])[])
  test(`${name} as a consenter at ${now}, ${roots.length} CA, expiration ${ignoreExpiration ? 'ignored' : 'checked'}: ${reason ?? 'accepted'}`, async (t) => {
    const found = await consenterError(consenter(name), {
      tls: { roots, intermediates: [] },
      now: new Date(now),
      ignoreExpiration,
    });
    t.is(
      found,
      reason && `verifying tls client cert with serial number ${IDENTITIES[name]!.serial}: ${reason}`,
    );
  });

test('a consenter without PEM has no certificate', async (t) => {
  const options = { tls: { roots: [CA], intermediates: [] }, now: new Date(), ignoreExpiration: false };
  const found = await consenterError(
    { ...consenter('Org1/admin'), clientTlsCert: Buffer.from('hi') },
    options,
  );
  t.is(found, 'parsing tls client cert of o1.example.com:7050: no PEM data found in cert[68 69]');
});

const BROKEN = Buffer.from(encodePem('CERTIFICATE', Buffer.of(0x31, 0)));
const FOREIGN =
  'x509: certificate signed by unknown authority (possibly because of "x509: ECDSA verification failure" while trying to verify candidate authority certificate "ca.org1.example.com")';

for (const [what, change, found] of [
  [
    'client certificate that cannot be read',
    { clientTlsCert: BROKEN },
    'parsing tls client cert of o1.example.com:7050: x509: malformed certificate TLS certificate has invalid ASN1 structure 1\0',
  ],
  [
    'server certificate that cannot be read',
    { serverTlsCert: BROKEN },
    'parsing tls server cert of o1.example.com:7050: x509: malformed certificate TLS certificate has invalid ASN1 structure 1\0',
  ],
  [
    'server certificate without PEM, and a foreign client certificate',
    { clientTlsCert: certificateOf('Org1/foreign'), serverTlsCert: Buffer.of() },
    'parsing tls server cert of o1.example.com:7050: no PEM data found in cert[]',
  ],
  [
    'foreign server certificate',
    { serverTlsCert: certificateOf('Org1/foreign') },
    `verifying tls server cert with serial number ${IDENTITIES['Org1/foreign']!.serial}: ${FOREIGN}`,
  ],
] as const)
  test(`a consenter with a ${what} is refused: ${found.slice(0, 100)}`, async (t) => {
    const options = {
      tls: { roots: [CA], intermediates: [] },
      now: new Date('2027-01-01T00:00:00Z'),
      ignoreExpiration: false,
    };
    t.is(await consenterError({ ...consenter('Org1/admin'), ...change }, options), found);
  });

for (const [usage, refused] of [
  ['clientAuth', false],
  ['serverAuth', false],
  [undefined, false],
  ['codeSigning', true],
] as const)
  test(`a certificate of a consenter with the extended key usage ${usage ?? 'none'} is ${refused ? 'refused' : 'accepted'}`, async (t) => {
    const ca = makeCertificate({ commonName: 'ca' });
    const { pem } = makeCertificate({ commonName: 'a', issuer: ca, isCa: false, usage });
    const found = await consenterError(
      { ...consenter('Org1/admin'), clientTlsCert: pem, serverTlsCert: pem },
      {
        tls: { roots: [readPemCertificate(ca.pem)!], intermediates: [] },
        now: new Date('2027-01-01T00:00:00Z'),
        ignoreExpiration: true,
      },
    );
    t.is(
      found?.replace(/\d{5,}/, 'N'),
      refused
        ? 'verifying tls client cert with serial number N: x509: certificate specifies an incompatible key usage'
        : undefined,
    );
  });

test('an identity principal is read once for all identities of an MSP, and again for another MSP', async (t) => {
  let reads = 0;
  const principal: Principal = {
    kind: 'identity',
    get identity() {
      reads += 1;
      return serializedIdentity('Org1/admin-high-s');
    },
  };
  const names = ['Org1/admin', 'Org1/peer0', 'Org1/admin-high-s', 'Org1/admin-reissued'];
  for (const expected of [1, 2]) {
    const { msp } = await setupMsp(ORG1, 'V1_4_3');
    const identities = await Promise.all(names.map((name) => msp!.identity(serializedIdentity(name))));
    t.deepEqual(
      identities.map((identity) => identity.principalError(principal)),
      [undefined, 'The identities do not match', undefined, 'The identities do not match'],
    );
    t.is(reads, expected);
  }
});

test('identity, OU, anonymity and combined principals', async (t) => {
  const { msp } = await setupMsp(ORG1, 'V1_4_3');
  const admin: Identity = await msp!.identity(serializedIdentity('Org1/admin'));
  const same = [
    'Org1/admin',
    'Org1/admin-pem',
    'Org1/admin-high-s',
    'Org1/admin-reissued',
    'Org2/admin',
    'Org1/admin-der',
  ];
  t.deepEqual(
    same.map((name) => admin.satisfies({ kind: 'identity', identity: serializedIdentity(name) })),
    [true, true, true, false, false, false],
  );
  const [unit] = admin.units;
  const member = { kind: 'role', mspid: 'Org1MSP', role: 'member' } as const;
  t.true(admin.satisfies({ kind: 'ou', mspid: 'Org1MSP', ...unit! }));
  t.false(
    admin.satisfies({ kind: 'ou', mspid: 'Org1MSP', unit: 'admin', certifiersIdentifier: new Uint8Array() }),
  );
  t.true(admin.satisfies({ kind: 'anonymity', type: 'nominal' }));
  t.false(admin.satisfies({ kind: 'anonymity', type: 'anonymous' }));
  t.true(
    admin.satisfies({ kind: 'combined', principals: [member, { kind: 'ou', mspid: 'Org1MSP', ...unit! }] }),
  );
  t.false(admin.satisfies({ kind: 'combined', principals: [] }));
  t.false(admin.satisfies({ kind: 'unknown', classification: 9 }));
  const high = await msp!.identity(serializedIdentity('Org1/admin-high-s'));
  t.is(high.id, admin.id);
  t.not((await msp!.identity(serializedIdentity('Org1/admin-reissued'))).id, admin.id);
});

for (const [name, depends] of [
  ['DNS:a.org', false],
  ['DNS:a..org', true],
  [`DNS:${'a'.repeat(64)}.org`, true],
  ['URI:http://a.org/', false],
  ['URI:urn:a', false],
  // Read by Go 1.22, refused since 1.25.2 or 1.26.
  ['URI:http://[x]/', true],
  ['URI:http://a:b:80/', true],
  ['URI:ftp://a:b:80/', false],
  ['EMAIL:no address', false],
  ['IP:10.0.0.1', false],
] as const)
  for (const go of ['1.22', '1.26'] as const)
    test(`the verdict on a certificate with the name ${name.slice(0, 30)}, read as by Go ${go}, ${depends ? 'depends' : 'does not depend'} on the version of Go`, (t) => {
      const { pem } = makeCertificate({ commonName: 'x', isCa: false, names: [name] });
      t.is(dependsOnGo(pem, go), depends);
    });

test('the verdict on a certificate with name constraints depends on the version of Go, on text that is no certificate it does not', (t) => {
  const { pem } = makeCertificate({ commonName: 'x', constraints: { permitted: ['DNS:a.org'] } });
  t.true(dependsOnGo(pem, '1.26'));
  t.false(dependsOnGo(Buffer.from('x'), '1.26'));
});

for (const [what, type, value, depends] of [
  ['policies', '551d20', '3000', false],
  ['policy mappings', '551d21', '3000', true],
  ['policy constraints', '551d24', '3000', true],
  ['inhibitAnyPolicy', '551d36', '020100', true],
] as const)
  test(`the verdict on a certificate with the extension of ${what} ${depends ? 'depends' : 'does not depend'} on the version of Go`, (t) => {
    const { pem } = makeCertificate({ commonName: 'x', extensions: [[type, value]] });
    t.is(dependsOnGo(pem, '1.26'), depends);
  });

for (const [bits, depends] of [
  [1023, true],
  [1024, false],
] as const)
  test(`the verdict on a certificate with an RSA key of ${bits} bits ${depends ? 'depends' : 'does not depend'} on the version of Go`, (t) => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: bits });
    const issuer = makeCertificate({ commonName: 'ca' });
    t.is(dependsOnGo(makeCertificate({ commonName: 'x', issuer, key: privateKey }).pem, '1.26'), depends);
  });

/** A root CA with a high s in its own signature, and a certificate with two roles that it has issued. */
const HIGH_S_ROOT = `-----BEGIN CERTIFICATE-----
MIIBYjCCAQigAwIBAgIURnT10SF+534zE32JEbrkZVWpGxowCgYIKoZIzj0EAwIw
DzENMAsGA1UEAwwEcm9vdDAeFw0yNjExMjUxMzQ4NDFaFw00MDA4MDMxMzQ4NDFa
MA8xDTALBgNVBAMMBHJvb3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATPZR4e
KQwqo0qn1rAgEAZzuiKyYKpulF0L55EWX1B4YBNfHVLH/eMRUTs18xbAnOP7SE87
hLqx9gpOTUE64u7fo0IwQDAPBgNVHRMBAf8EBTADAQH/MA4GA1UdDwEB/wQEAwIB
BjAdBgNVHQ4EFgQUVHpEsM+bbZvcJsncVA5wwKR4EoswCgYIKoZIzj0EAwIDSAAw
RQIgINfLm6dKqBSHOv3tYA149O+fIpTByxfDrIWY37/9VmQCIQDe3g8DRFr+lmaV
8yMXt0zn4Qd2hASxv1X7ZvCZNYiCmw==
-----END CERTIFICATE-----
`;
const OF_HIGH_S_ROOT = `-----BEGIN CERTIFICATE-----
MIIBkDCCATagAwIBAgIUHfVSlwFCrZGLU32b2S1faphJ+vEwCgYIKoZIzj0EAwIw
DzENMAsGA1UEAwwEcm9vdDAeFw0yNjExMjUxMzQ4NDFaFw00MDA0MjUxMzQ4NDFa
MC0xDzANBgNVBAsMBmNsaWVudDEOMAwGA1UECwwFYWRtaW4xCjAIBgNVBAMMAXgw
WTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASm9vf8YWAhIRMc4fV90fVczeP0PlZb
hhcZcEEr6F/5jmKKaz/ni3WmoyuT0x9oDf+KahWg3ytaUpJJi9G9N6uCo1IwUDAO
BgNVHQ8BAf8EBAMCB4AwHQYDVR0OBBYEFMiSvn0UEMxolMu1yMJzDdeX/tgpMB8G
A1UdIwQYMBaAFFR6RLDPm22b3CbJ3FQOcMCkeBKLMAoGCCqGSM49BAMCA0gAMEUC
IQDxbzqwwa6z9dddi8kIxXjRdbgx8byZKNZYi8cHre4WMQIgYigwxRy1/e/jkolC
DIEkBE43GwIUj3KEef43Jsd7yRU=
-----END CERTIFICATE-----
`;

test('the certifiers of an identity are computed from the root CA in low-S form, as in peers of 2.5.12 and 3.0.0', async (t) => {
  const unit = (name: string) => ({ certificate: new Uint8Array(), unit: name });
  const none = {
    intermediates: [],
    admins: [],
    revocationLists: [],
    tlsRoots: [],
    tlsIntermediates: [],
    units: [],
  };
  const nodeOus = {
    client: unit('client'),
    peer: unit('peer'),
    admin: unit('admin'),
    orderer: unit('orderer'),
  };
  const config = fabricMsp('Org1MSP', { ...none, roots: [Buffer.from(HIGH_S_ROOT)], nodeOus });
  const { msp, faults } = await setupMsp(config, 'V1_4_3');
  t.deepEqual(faults, []);
  const identity = await msp!.identityOf(Buffer.from(OF_HIGH_S_ROOT));
  t.is(
    identity.validationError,
    "could not validate identity's OUs: the identity must have a client, a peer, an orderer, or an admin OU role to be valid, not a combination of them. OUs: [client(3E4896505820D101) admin(3E4896505820D101)], MSP: [Org1MSP]",
  );
});
