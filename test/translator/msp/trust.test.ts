// The CAs of an MSP: chains of its certificates, revocation, and the times at which certificates are verified.

import test from 'ava';
import { TranslateError } from '../../../proto/errors.js';
import {
  beginsInTime,
  isListOf,
  readPemCertificate,
  readRevocationList,
  sanitize,
  uniqueChain,
  verifiedAt,
  type Certificate,
} from '../../../translator/msp/index.js';
import { revocationOf, subjectKeyIdOf, validationChain } from '../../../translator/msp/trust.js';
import { makeCertificate, makeRevocationList, type Made } from '../../helpers/made-certificates.js';

const read = ({ pem }: Made): Certificate => readPemCertificate(pem)!;
const listOf = (issuer: Made, serials: readonly bigint[], by?: Made) =>
  readRevocationList(makeRevocationList(issuer.name, serials, by));

const CA = makeCertificate({ commonName: 'ca' });
const OTHER = makeCertificate({ commonName: 'other' });
const WITHOUT_KEY_ID = makeCertificate({ commonName: 'ca', hasKeyId: false });
const LEAF = read(makeCertificate({ commonName: 'a', issuer: CA, isCa: false }));
const TRUST = { roots: [read(CA)], intermediates: [] };

test('a certificate is verified one second after its beginning', (t) => {
  t.deepEqual(verifiedAt(LEAF), new Date('2026-01-01T00:00:01Z'));
});

for (const [begins, isInTime] of [
  ['20251231235959Z', true],
  ['20260101000001Z', true],
  ['20260101000002Z', false],
] as const)
  test(`a CA that begins at ${begins} is ${isInTime ? '' : 'not '}valid when a certificate of 2026-01-01 is verified`, (t) => {
    const ca = read(makeCertificate({ commonName: 'ca', validity: [begins, '20360101000000Z'] }));
    t.is(beginsInTime(ca, LEAF), isInTime);
  });

test('a certificate with two chains is refused, because Fabric supports one', async (t) => {
  const renewed = makeCertificate({ commonName: 'ca', key: CA.key });
  const error = await t.throwsAsync(uniqueChain(LEAF, { ...TRUST, roots: [read(CA), read(renewed)] }), {
    instanceOf: TranslateError,
    message: 'this MSP only supports a single validation chain, got 2',
  });
  t.is(error.code, 'BAD_IDENTITY');
  t.deepEqual(
    (await uniqueChain(LEAF, TRUST)).map(({ subject }) => subject.commonName),
    ['a', 'ca'],
  );
});

const CONSTRAINED = makeCertificate({ commonName: 'root', constraints: { permitted: ['DNS:a.org'] } });
const MISSING = "x509: issuer has name constraints but leaf doesn't have a SAN extension";

for (const [commonName, isHost] of [
  ['a', true],
  ['a.org', true],
  ['a.org.', true],
  ['*.a.org', true],
  ['a.*.org', false],
  ['*a.org', false],
  ['a-b_c:1', true],
  ['_a', true],
  ['-a', false],
  ['a b', false],
  ['a..org', false],
  ['.', false],
  ['Admin@org1', false],
] as const)
  test(`the name ${commonName} of a certificate without alternative names is ${isHost ? 'a host, which the constraints of its CA do not allow' : 'no host'}`, async (t) => {
    const trust = { roots: [read(CONSTRAINED)], intermediates: [] };
    const of = (names: readonly string[]): Certificate =>
      read(makeCertificate({ commonName, issuer: CONSTRAINED, isCa: false, names }));
    const chain = uniqueChain(of([]), trust);
    if (isHost)
      t.like(await t.throwsAsync(chain), {
        code: 'BAD_IDENTITY',
        message: `the supplied identity is not valid: ${MISSING}`,
        reason: MISSING,
      });
    else t.is((await chain).length, 2);
    t.is((await uniqueChain(of(['DNS:a.org']), trust)).length, 2);
  });

test('a CA without name constraints issues certificates with the names of hosts', async (t) => {
  const leaf = read(makeCertificate({ commonName: 'a.org', issuer: CA, isCa: false }));
  t.is((await uniqueChain(leaf, TRUST)).length, 2);
});

test('a CA that has issued other CAs does not issue identities, and its own certificate is no identity', async (t) => {
  const trust = { ...TRUST, innerNodes: [read(CA)], revocationLists: [] };
  const error = await t.throwsAsync(validationChain(LEAF, trust, false), { instanceOf: TranslateError });
  t.is(
    error.message,
    'invalid validation chain. Parent certificate should be a leaf of the certification tree [[…]]',
  );
  t.is((await validationChain(LEAF, { ...trust, innerNodes: [read(OTHER)] }, false)).length, 2);
  t.is((await validationChain(LEAF, trust, true)).length, 2);
  await t.throwsAsync(validationChain(LEAF, { ...trust, innerNodes: [LEAF] }, true));
  await t.throwsAsync(validationChain(read(CA), trust, true), {
    message: 'expected a chain of length at least 2, got 1',
  });
  await t.throwsAsync(validationChain(read(OTHER), trust, false), {
    message:
      'failed getting validation chain: the supplied identity is not valid: x509: certificate signed by unknown authority',
  });
});

const REVOKED = 'The certificate has been revoked';
const NO_AUTHORITY =
  'could not obtain Authority Key Identifier for crl: authorityKeyIdentifier not found in certificate';
const { serial } = LEAF;
const OWN_LIST = listOf(CA, [1n, serial], CA);

for (const [what, lists, revocation] of [
  ['no list', [], undefined],
  ['a list with its serial number', [OWN_LIST], { isListed: true, text: REVOKED }],
  ['a list with another serial number', [listOf(CA, [serial + 1n], CA)], undefined],
  ['a list of another CA with its serial number', [listOf(OTHER, [serial], OTHER)], undefined],
  [
    'a list with the key identifier of its CA that another CA has signed',
    [{ ...OWN_LIST, signed: Buffer.from('other bytes') }],
    undefined,
  ],
  [
    'an empty list and one with its serial number',
    [listOf(CA, [], CA), OWN_LIST],
    { isListed: true, text: REVOKED },
  ],
  [
    'a list without a key identifier',
    [{ ...listOf(CA, [], CA), authorityKeyId: undefined }],
    { isListed: false, text: NO_AUTHORITY },
  ],
  [
    'a list without a key identifier and one with its serial number',
    [{ ...listOf(CA, [], CA), authorityKeyId: undefined }, OWN_LIST],
    { isListed: true, text: NO_AUTHORITY },
  ],
] as const)
  test(`a certificate and ${what}: ${revocation?.text ?? 'it is not revoked'}`, async (t) => {
    t.deepEqual(await revocationOf([LEAF, read(CA)], lists), revocation);
  });

test('a CA without a key identifier makes it unclear whether its certificates are revoked', async (t) => {
  const text =
    'could not obtain Subject Key Identifier for signer cert: subjectKeyIdentifier not found in certificate';
  t.deepEqual(await revocationOf([LEAF, read(WITHOUT_KEY_ID)], []), { isListed: false, text });
  t.is(subjectKeyIdOf(read(WITHOUT_KEY_ID)), 'subjectKeyIdentifier not found in certificate');
});

test('a list belongs to the CA with its key identifier that has signed it', async (t) => {
  t.true(await isListOf(OWN_LIST, [read(OTHER), read(WITHOUT_KEY_ID), read(CA)]));
  t.false(await isListOf(OWN_LIST, [read(OTHER), read(WITHOUT_KEY_ID)]));
  t.false(await isListOf(OWN_LIST, []));
  t.false(await isListOf({ ...OWN_LIST, authorityKeyId: undefined }, [read(CA)]));
  t.false(await isListOf({ ...OWN_LIST, signed: Buffer.from('other bytes') }, [read(CA)]));
  t.true(await isListOf(OWN_LIST, [{ ...read(CA), publicKey: read(OTHER).publicKey }, read(CA)]));
});

test('a certificate with an RSA signature is used as it is, and is not verified', async (t) => {
  const rsa = read(makeCertificate({ commonName: 'x', issuer: OTHER, rsaSignature: Buffer.alloc(256, 1) }));
  t.is(await sanitize(rsa, TRUST), rsa);
});

test('a certificate with a low s is used as it is, if the MSP has its CA', async (t) => {
  t.is((await sanitize(LEAF, TRUST)).raw, LEAF.raw);
  await t.throwsAsync(sanitize(LEAF, { roots: [read(OTHER)], intermediates: [] }), {
    message: 'the supplied identity is not valid: x509: certificate signed by unknown authority',
  });
});
