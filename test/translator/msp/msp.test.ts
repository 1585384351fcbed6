// What an MSP says of certificates and of CAs, and the MSPs of a channel.

import { generateKeyPairSync } from 'node:crypto';
import test from 'ava';
import { concatBytes } from '../../../proto/bytes.js';
import { TranslateError } from '../../../proto/errors.js';
import {
  membershipProblem,
  MspManager,
  mspIdsOf,
  readPemCertificate,
  setupMsp,
  writeSerializedIdentity,
  type Certificate,
  type Msp,
  type MspVersion,
} from '../../../translator/msp/index.js';
import { bytesField, numberField } from '../../helpers/codec.js';
import { makeCertificate, makeRevocationList, type Made } from '../../helpers/made-certificates.js';

const unit = (number: number, name: string): Uint8Array => bytesField(number, bytesField(2, name));
const NODE_OUS = bytesField(
  11,
  numberField(1, 1),
  unit(2, 'client'),
  unit(3, 'peer'),
  unit(4, 'admin'),
  unit(5, 'orderer'),
);
const read = ({ pem }: Made): Certificate => readPemCertificate(pem)!;

interface Wanted {
  readonly name?: string;
  readonly roots: readonly Made[];
  readonly intermediates?: readonly Made[];
  readonly lists?: readonly Buffer[];
  readonly version?: MspVersion;
}

async function mspOf({
  name = 'M',
  roots,
  intermediates = [],
  lists = [],
  version = 'V3_0',
}: Wanted): Promise<Msp> {
  const config = concatBytes(
    bytesField(1, name),
    ...roots.map(({ pem }) => bytesField(2, pem)),
    ...intermediates.map(({ pem }) => bytesField(3, pem)),
    ...lists.map((list) => bytesField(5, list)),
    NODE_OUS,
  );
  const { msp, faults } = await setupMsp(config, version);
  if (msp === undefined) throw new Error(faults.join('; '));
  return msp;
}

const CA = makeCertificate({ commonName: 'ca' });
const OTHER = makeCertificate({ commonName: 'other' });
const INTERMEDIATE = makeCertificate({ commonName: 'intermediate', issuer: CA, isCa: true });
/** The same CA with a certificate that begins a year later. */
const RENEWED = makeCertificate({
  commonName: 'ca',
  key: CA.key,
  validity: ['20270101000000Z', '20370101000000Z'],
});
const CHAIN = 'could not obtain certification chain';

for (const [what, wanted, ca, fault] of [
  ['its root CA', { roots: [OTHER, CA] }, CA, undefined],
  ['its intermediate CA', { roots: [CA], intermediates: [INTERMEDIATE] }, INTERMEDIATE, undefined],
  ['its root CA that is listed twice', { roots: [CA, CA] }, CA, undefined],
  ['its CA that was renewed, by the new certificate', { roots: [RENEWED] }, RENEWED, undefined],
  ['another CA', { roots: [OTHER] }, CA, `${CHAIN}: x509: certificate signed by unknown authority`],
  [
    'another CA with the name of its CA',
    { roots: [makeCertificate({ commonName: 'ca' })] },
    CA,
    `${CHAIN}: x509: certificate signed by unknown authority`,
  ],
  [
    'another CA with the key of its CA',
    { roots: [makeCertificate({ commonName: 'renamed', key: CA.key })] },
    CA,
    `${CHAIN}: x509: certificate signed by unknown authority`,
  ],
  [
    'a CA with both of its certificates',
    { roots: [CA, RENEWED] },
    CA,
    `${CHAIN}: this MSP only supports a single validation chain, got 2, for certificates that begin after 2027-01-01T00:00:00Z`,
  ],
  [
    'a CA with both of its certificates, since the second one',
    { roots: [CA, RENEWED] },
    RENEWED,
    `${CHAIN}: this MSP only supports a single validation chain, got 2`,
  ],
  [
    'a CA that was renewed, before it was renewed',
    { roots: [RENEWED] },
    CA,
    `${CHAIN}: x509: certificate has expired or is not yet valid: the CA begins on 2027-01-01T00:00:00Z, and certificates that begin before have no chain`,
  ],
] as const satisfies readonly (readonly [string, Wanted, Made, string | undefined])[])
  test(`an MSP and identities of ${what}: ${fault ?? 'they are valid'}`, async (t) => {
    const issue = await (await mspOf(wanted)).issuer(read(ca));
    const client = issue(['client']);
    t.is(client.validationError, fault);
    t.is(
      client.principalError({ kind: 'role', mspid: 'M', role: 'client' }) === undefined,
      fault === undefined,
    );
    t.false(client.satisfies({ kind: 'role', mspid: 'M', role: 'admin' }));
    t.is(issue(['admin']).satisfies({ kind: 'role', mspid: 'M', role: 'admin' }), fault === undefined);
    t.deepEqual(
      client.units.map((each) => each.unit),
      fault === undefined ? ['client'] : [],
    );
    t.is(client.id, '');
    t.is(client.chain?.at(-1)?.subject.commonName, fault === undefined ? 'ca' : undefined);
  });

test('identities of a CA have the certifiers of its certificates', async (t) => {
  const msp = await mspOf({ roots: [CA], intermediates: [INTERMEDIATE] });
  const made = makeCertificate({ commonName: 'a', unit: 'client', issuer: INTERMEDIATE, isCa: false });
  const identity = await msp.identityOf(made.pem);
  t.is(identity.validationError, undefined);
  t.deepEqual((await msp.issuer(read(INTERMEDIATE)))(['client']).units, identity.units);
});

test('a CA that has issued CAs of an MSP may not issue identities', async (t) => {
  const below = makeCertificate({ commonName: 'below', issuer: INTERMEDIATE, isCa: true });
  const msp = await mspOf({ roots: [CA], intermediates: [INTERMEDIATE, below] });
  for (const ca of [CA, INTERMEDIATE])
    t.is(
      (await msp.issuer(read(ca)))(['client']).validationError,
      `${CHAIN}: the CA has issued CAs: it may not issue identities`,
    );
  t.is((await msp.issuer(read(below)))(['client']).validationError, undefined);
});

test('no revocation list revokes all identities of a CA', async (t) => {
  const msp = await mspOf({ roots: [CA], lists: [makeRevocationList(CA.name, [0n, 1n], CA)] });
  t.is((await msp.issuer(read(CA)))(['client']).validationError, undefined);
});

const keyed = (type: 'ed25519' | 'rsa'): Made =>
  makeCertificate({
    commonName: 'a',
    unit: 'client',
    issuer: CA,
    isCa: false,
    key:
      type === 'rsa'
        ? generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
        : generateKeyPairSync('ed25519').privateKey,
  });
const CLIENT = makeCertificate({ commonName: 'a', unit: 'client', issuer: CA, isCa: false });
const UNKNOWN = 'x509: certificate signed by unknown authority';

for (const [what, pem, version, fault] of [
  ['a client', CLIENT.pem, 'V3_0', undefined],
  [
    'text',
    Buffer.from('x'),
    'V3_0',
    {
      kind: 'unreadable',
      reason: 'could not decode the PEM structure',
      text: 'could not decode the PEM structure',
    },
  ],
  [
    'a certificate of another CA',
    makeCertificate({ commonName: 'a', issuer: OTHER, isCa: false }).pem,
    'V3_0',
    { kind: 'chain', reason: UNKNOWN, text: `the supplied identity is not valid: ${UNKNOWN}` },
  ],
  [
    'another CA',
    OTHER.pem,
    'V3_0',
    {
      kind: 'is-ca',
      text: `${CHAIN}: An X509 certificate with Basic Constraint: Certificate Authority equals true cannot be used as an identity`,
    },
  ],
  ['a client with an Ed25519 key', keyed('ed25519').pem, 'V3_0', undefined],
  [
    'a client with an Ed25519 key in a channel without V3_0',
    keyed('ed25519').pem,
    'V1_4_3',
    {
      kind: 'key-type',
      type: 'Ed25519',
      reason: 'Ed25519 is not supported',
      text: "could not validate identity's public key algorithm: Ed25519 is not supported",
    },
  ],
  [
    'a client with an RSA key',
    keyed('rsa').pem,
    'V3_0',
    {
      kind: 'key-type',
      type: 'RSA',
      reason: 'RSA is not supported',
      text: "could not validate identity's public key algorithm: RSA is not supported",
    },
  ],
  [
    'a certificate without a role',
    makeCertificate({ commonName: 'a', unit: 'x', issuer: CA, isCa: false }).pem,
    'V3_0',
    { kind: 'unit-missing', units: ['x'], wanted: ['client', 'peer', 'admin', 'orderer'] },
  ],
] as const)
  test(`an MSP of a channel with ${version} judges ${what}: ${fault?.kind ?? 'valid'}`, async (t) => {
    const msp = await mspOf({ roots: [CA], version });
    const judged = await msp.judge(pem);
    if (fault === undefined) t.is(judged.fault, undefined);
    else t.like(judged.fault, fault);
    t.is(await membershipProblem(msp, pem), judged.fault?.text);
  });

test('a revoked certificate has its serial number in the fault', async (t) => {
  const { serial } = read(CLIENT);
  const msp = await mspOf({ roots: [CA], lists: [makeRevocationList(CA.name, [serial], CA)] });
  t.like((await msp.judge(CLIENT.pem)).fault, {
    kind: 'revoked',
    serial,
    reason: 'The certificate has been revoked',
    text: 'could not validate identity against certification chain: The certificate has been revoked',
  });
});

test('the MSPs of a channel by the certificates and the identities that belong to them', async (t) => {
  const msps = [
    await mspOf({ name: 'A', roots: [OTHER] }),
    await mspOf({ name: 'B', roots: [CA] }),
    await mspOf({ name: 'C', roots: [CA] }),
  ];
  const manager = new MspManager(msps);
  t.deepEqual(await mspIdsOf(manager, CLIENT.pem), ['B', 'C']);
  t.deepEqual(await mspIdsOf(manager, CA.pem), []);
  const der = read(CLIENT).raw;
  t.is((await manager.identity(writeSerializedIdentity('C', der))).mspid, 'C');
  for (const [serialized, message] of [
    [writeSerializedIdentity('X', der), 'MSP X is not defined on channel'],
    [writeSerializedIdentity('A', der), `the supplied identity is not valid: ${UNKNOWN}`],
    [
      Buffer.of(255),
      'could not deserialize a SerializedIdentity: proto: cannot parse invalid wire-format data',
    ],
  ] as const)
    await t.throwsAsync(manager.identity(serialized), { instanceOf: TranslateError, message });
  await t.throwsAsync(msps[1]!.identity(writeSerializedIdentity('C', der)), {
    code: 'BAD_IDENTITY',
    message: 'expected MSP ID B, received C',
  });
});
