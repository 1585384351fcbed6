// Extensions of certificates as Go's crypto/x509 reads or refuses them.

import test from 'ava';
import { TranslateError } from '../../../proto/errors.js';
import { DerReader } from '../../../translator/msp/der.js';
import {
  processExtensions,
  readExtensionList,
  sameAlternativeNames,
  type Extensions,
} from '../../../translator/msp/extensions.js';
import type { GoVersion } from '../../../translator/msp/releases.js';

const hex = (digits: string): Buffer => Buffer.from(digits.replaceAll(' ', ''), 'hex');

const KEY_USAGE = '2.5.29.15';
const BASIC_CONSTRAINTS = '2.5.29.19';
const EXTENDED_KEY_USAGE = '2.5.29.37';
const DISTRIBUTION_POINTS = '2.5.29.31';
const SUBJECT_KEY_ID = '2.5.29.14';
const AUTHORITY_KEY_ID = '2.5.29.35';
const ALTERNATIVE_NAMES = '2.5.29.17';
const NAME_CONSTRAINTS = '2.5.29.30';
const POLICIES = '2.5.29.32';
const MAPPINGS = '2.5.29.33';
const POLICY_CONSTRAINTS = '2.5.29.36';
const INHIBIT_ANY = '2.5.29.54';
const INFORMATION_ACCESS = '1.3.6.1.5.5.7.1.1';

const read = (id: string, value: string, isCritical = false, go: GoVersion = '1.26'): Extensions =>
  processExtensions([{ id, isCritical, value: hex(value) }], go);

test('a certificate without extensions is no CA and has no limits', (t) => {
  const { all, nameConstraints, alternativeNames, keyUsage, ...found } = processExtensions([], '1.26');
  t.deepEqual([all, nameConstraints, alternativeNames, keyUsage], [[], undefined, undefined, undefined]);
  t.like(found, {
    hasBasicConstraints: false,
    isCa: false,
    maxPathLength: -1,
    extendedKeyUsage: [],
    dnsNames: [],
    unhandledCritical: [],
    policies: {
      policies: [],
      mappings: [],
      requireExplicitPolicy: -1,
      inhibitPolicyMapping: -1,
      inhibitAnyPolicy: -1,
    },
  });
  t.deepEqual([found.subjectKeyId.length, found.authorityKeyId.length], [0, 0]);
});

for (const [value, usages] of [
  ['03 01 00', []],
  ['03 02 07 80', ['digitalSignature']],
  ['03 02 01 06', ['keyCertSign', 'cRLSign']],
  ['03 02 00 01', ['encipherOnly']],
  ['03 03 07 00 80', ['decipherOnly']],
  [
    '03 03 07 ff 80',
    [
      'digitalSignature',
      'contentCommitment',
      'keyEncipherment',
      'dataEncipherment',
      'keyAgreement',
      'keyCertSign',
      'cRLSign',
      'encipherOnly',
      'decipherOnly',
    ],
  ],
] as const)
  test(`the key usage [${value}] is ${usages.join(', ') || 'none'}`, (t) => {
    t.deepEqual(read(KEY_USAGE, value).keyUsage, [...usages]);
  });

for (const [value, isCa, maxPathLength] of [
  ['30 00', false, -1],
  ['30 03 01 01 00', false, -1],
  ['30 03 01 01 ff', true, -1],
  ['30 06 01 01 ff 02 01 00', true, 0],
  ['30 06 01 01 ff 02 01 03', true, 3],
  ['30 03 02 01 05', false, 5],
] as const)
  test(`basic constraints [${value}] are of ${isCa ? 'a CA' : 'no CA'} with the path length ${maxPathLength}`, (t) => {
    t.like(read(BASIC_CONSTRAINTS, value), { hasBasicConstraints: true, isCa, maxPathLength });
  });

test('key identifiers and extended key usages are read', (t) => {
  t.deepEqual(Buffer.from(read(SUBJECT_KEY_ID, '04 02 01 02').subjectKeyId), hex('0102'));
  t.deepEqual(Buffer.from(read(AUTHORITY_KEY_ID, '30 04 80 02 01 02').authorityKeyId), hex('0102'));
  t.is(read(AUTHORITY_KEY_ID, '30 00').authorityKeyId.length, 0);
  t.deepEqual(read(EXTENDED_KEY_USAGE, '30 07 06 01 2a 06 02 2a 03').extendedKeyUsage, ['1.2', '1.2.3']);
});

test('all kinds of alternative names are read, and names of hosts are also separate', (t) => {
  const { alternativeNames, dnsNames } = read(ALTERNATIVE_NAMES, '30 0a 82 01 61 88 01 2a 82 02 62 63');
  t.deepEqual(
    alternativeNames!.names.map(
      ({ tag, content }) => `${tag.toString(16)} ${Buffer.from(content).toString()}`,
    ),
    ['82 a', '88 *', '82 bc'],
  );
  t.deepEqual(dnsNames, ['a', 'bc']);
});

const FAULTS: readonly (readonly [id: string, value: string, fault: string])[] = [
  [KEY_USAGE, '04 01 00', 'x509: invalid key usage'],
  [KEY_USAGE, '03 02 08 80', 'x509: invalid key usage'],
  [BASIC_CONSTRAINTS, '31 00', 'x509: invalid basic constraints'],
  [BASIC_CONSTRAINTS, '30 03 01 01 01', 'x509: invalid basic constraints'],
  [BASIC_CONSTRAINTS, '30 03 01 02 ff', 'x509: invalid basic constraints'],
  [BASIC_CONSTRAINTS, '30 04 02 02 00 01', 'x509: invalid basic constraints'],
  [BASIC_CONSTRAINTS, '30 03 02 02 01', 'x509: invalid basic constraints'],
  [EXTENDED_KEY_USAGE, '04 00', 'x509: invalid extended key usages'],
  [EXTENDED_KEY_USAGE, '30 03 04 01 2a', 'x509: invalid extended key usages'],
  [EXTENDED_KEY_USAGE, '30 03 06 01 80', 'x509: invalid extended key usages'],
  [SUBJECT_KEY_ID, '30 00', 'x509: invalid subject key identifier'],
  [AUTHORITY_KEY_ID, '04 00', 'x509: invalid authority key identifier'],
  [AUTHORITY_KEY_ID, '30 02 80 01', 'x509: invalid authority key identifier'],
  [DISTRIBUTION_POINTS, '04 00', 'x509: invalid CRL distribution points'],
  [DISTRIBUTION_POINTS, '30 02 04 00', 'x509: invalid CRL distribution point'],
  [DISTRIBUTION_POINTS, '30 04 30 02 a0 01', 'x509: invalid CRL distribution point'],
  [DISTRIBUTION_POINTS, '30 04 30 02 a0 00', 'x509: invalid CRL distribution point'],
  [DISTRIBUTION_POINTS, '30 08 30 06 a0 04 a0 02 86 01', 'x509: invalid CRL distribution point'],
  [INFORMATION_ACCESS, '04 00', 'x509: invalid authority info access'],
  [INFORMATION_ACCESS, '30 02 30 00', 'x509: invalid authority info access'],
  [INFORMATION_ACCESS, '30 05 30 03 06 01 80', 'x509: invalid authority info access'],
  [INFORMATION_ACCESS, '30 07 30 05 06 01 2a 86 01', 'x509: invalid authority info access'],
  [ALTERNATIVE_NAMES, '04 00', 'x509: invalid subject alternative names'],
  [ALTERNATIVE_NAMES, '30 02 82 01', 'x509: invalid subject alternative name'],
  [ALTERNATIVE_NAMES, '30 03 81 01 80', 'x509: SAN rfc822Name is malformed'],
  [ALTERNATIVE_NAMES, '30 03 82 01 80', 'x509: SAN dNSName is malformed'],
  [ALTERNATIVE_NAMES, '30 03 86 01 80', 'x509: SAN uniformResourceIdentifier is malformed'],
  [ALTERNATIVE_NAMES, '30 05 87 03 01 02 03', 'x509: cannot parse IP address of length 3'],
  [ALTERNATIVE_NAMES, '30 07 87 05 01 02 03 04 05', 'x509: cannot parse IP address of length 5'],
  [NAME_CONSTRAINTS, '31 00', 'x509: invalid NameConstraints extension'],
  [NAME_CONSTRAINTS, '30 00', 'x509: empty name constraints extension'],
  [NAME_CONSTRAINTS, '30 04 a0 00 a1 00', 'x509: empty name constraints extension'],
  [NAME_CONSTRAINTS, '30 07 a0 05 30 03 82 01 61 00', 'x509: invalid NameConstraints extension'],
  [NAME_CONSTRAINTS, '30 09 a0 05 30 03 82 01 61 05 00', 'x509: invalid NameConstraints extension'],
  [NAME_CONSTRAINTS, '30 04 a0 02 04 00', 'x509: invalid NameConstraints extension'],
  [NAME_CONSTRAINTS, '30 04 a1 02 30 00', 'x509: invalid NameConstraints extension'],
  [POLICIES, '04 00', 'x509: invalid certificate policies'],
  [POLICIES, '30 02 04 00', 'x509: invalid certificate policies'],
  [POLICIES, '30 04 30 02 06 00', 'x509: invalid certificate policies'],
  [POLICIES, '30 05 30 03 06 01 81', 'x509: invalid certificate policies'],
  [POLICIES, '30 06 30 04 06 02 80 01', 'x509: invalid certificate policies'],
  [POLICIES, '30 07 30 05 06 03 2a 80 01', 'x509: invalid certificate policies'],
  [MAPPINGS, '04 00', 'x509: invalid policy mappings extension'],
  [MAPPINGS, '30 02 04 00', 'x509: invalid policy mappings extension'],
  [MAPPINGS, '30 05 30 03 06 01 2a', 'x509: invalid policy mappings extension'],
  [POLICY_CONSTRAINTS, '04 00', 'x509: invalid policy constraints extension'],
  [POLICY_CONSTRAINTS, '30 02 80 00', 'x509: invalid policy constraints extension'],
  [POLICY_CONSTRAINTS, '30 04 81 02 00 01', 'x509: invalid policy constraints extension'],
  [
    POLICY_CONSTRAINTS,
    '30 0b 80 09 01 00 00 00 00 00 00 00 00',
    'x509: invalid policy constraints extension',
  ],
  [INHIBIT_ANY, '04 01 00', 'x509: invalid inhibit any policy extension'],
  [INHIBIT_ANY, '02 00', 'x509: invalid inhibit any policy extension'],
];
for (const [id, value, message] of FAULTS)
  test(`the value [${value}] of the extension ${id} is refused: ${message}`, (t) => {
    t.throws(() => read(id, value), { instanceOf: TranslateError, message });
  });

for (const [id, value] of [
  [DISTRIBUTION_POINTS, '30 00'],
  [DISTRIBUTION_POINTS, '30 02 30 00'],
  [DISTRIBUTION_POINTS, '30 11 30 0f a0 0d a0 0b 86 01 61 86 01 62 82 01 63 86 01'],
  [DISTRIBUTION_POINTS, '30 09 30 07 a0 05 a0 03 86 01 61'],
  [INFORMATION_ACCESS, '30 08 30 06 06 01 2a 86 01 61'],
  [INFORMATION_ACCESS, '30 08 30 06 06 01 2a 82 01 61'],
] as const)
  test(`the value [${value}] of the extension ${id} is accepted, critical or not`, (t) => {
    t.deepEqual(read(id, value, id === DISTRIBUTION_POINTS).unhandledCritical, []);
  });

for (const [id, value, what] of [
  [AUTHORITY_KEY_ID, '30 00', 'x509: authority key identifier'],
  [SUBJECT_KEY_ID, '04 00', 'x509: subject key identifier'],
  [INFORMATION_ACCESS, '30 00', 'x509: authority info access'],
] as const)
  test(`the extension ${id} must not be critical`, (t) => {
    t.notThrows(() => read(id, value));
    t.throws(() => read(id, value, true), { message: `${what} incorrectly marked critical` });
  });

/** Extensions with content that Go does not check; a chain with such a critical extension is refused. */
for (const [what, id, value, go, isHandled] of [
  ['of an unknown type', '1.2.3', '05 00', '1.26', false],
  ['with directory names only', ALTERNATIVE_NAMES, '30 02 a4 00', '1.26', false],
  ['with a directory name and a host', ALTERNATIVE_NAMES, '30 05 a4 00 82 01 61', '1.26', true],
  ['with a constraint on hosts', NAME_CONSTRAINTS, '30 07 a0 05 30 03 82 01 61', '1.26', true],
  ['with a permitted directory name', NAME_CONSTRAINTS, '30 06 a0 04 30 02 a4 00', '1.26', false],
  ['with an excluded directory name', NAME_CONSTRAINTS, '30 06 a1 04 30 02 a4 00', '1.26', false],
  ['of policy mappings', MAPPINGS, '30 00', '1.23', false],
  ['of policy mappings', MAPPINGS, '30 00', '1.24', true],
  ['of policy constraints', POLICY_CONSTRAINTS, '30 00', '1.23', false],
  ['of policy constraints', POLICY_CONSTRAINTS, '30 00', '1.24', true],
  ['that inhibits any policy', INHIBIT_ANY, '02 01 00', '1.23', false],
  ['that inhibits any policy', INHIBIT_ANY, '02 01 00', '1.24', true],
] as const)
  test(`Go ${go} ${isHandled ? 'handles' : 'does not handle'} a critical extension ${what}`, (t) => {
    t.deepEqual(read(id, value, true, go).unhandledCritical, isHandled ? [] : [id]);
    t.deepEqual(read(id, value, false, go).unhandledCritical, []);
  });

test('the limits and mappings of policies are read', (t) => {
  const all = [
    [POLICIES, '30 0c 30 04 06 02 2a 01 30 04 06 02 2a 02'],
    [MAPPINGS, '30 0a 30 08 06 02 2a 01 06 02 2a 02'],
    [POLICY_CONSTRAINTS, '30 06 80 01 03 81 01 04'],
    [INHIBIT_ANY, '02 01 05'],
  ].map(([id, value]) => ({ id: id!, isCritical: true, value: hex(value!) }));
  t.deepEqual(processExtensions(all, '1.24').policies, {
    policies: ['2a01', '2a02'],
    mappings: [{ issuer: '2a01', subject: '2a02' }],
    requireExplicitPolicy: 3,
    inhibitPolicyMapping: 4,
    inhibitAnyPolicy: 5,
  });
  t.like(read(POLICY_CONSTRAINTS, '30 03 80 01 00').policies, {
    requireExplicitPolicy: 0,
    inhibitPolicyMapping: -1,
  });
  t.like(read(POLICY_CONSTRAINTS, '30 03 81 01 00').policies, {
    requireExplicitPolicy: -1,
    inhibitPolicyMapping: 0,
  });
  t.deepEqual(read(POLICIES, '30 08 30 06 06 04 2a 81 80 01').policies.policies, ['2a818001']);
  // The largest int64.
  t.is(read(INHIBIT_ANY, '02 08 7f ff ff ff ff ff ff ff').policies.inhibitAnyPolicy, 2 ** 63);
});

const ID = '06 02 2a 03';
const listOf = (value: string): DerReader => new DerReader(hex(value));
test('a list of extensions is read in its order; an extension is critical only if it says so', (t) => {
  const list = readExtensionList(
    listOf(`30 06 ${ID} 04 00 30 0a 06 02 2a 04 01 01 ff 04 01 05 30 09 06 02 2a 05 01 01 00 04 00`),
  );
  t.deepEqual(
    list.map(({ id, isCritical, value }) => [id, isCritical, Buffer.from(value).toString('hex')]),
    [
      ['1.2.3', false, ''],
      ['1.2.4', true, '05'],
      ['1.2.5', false, ''],
    ],
  );
});

for (const [what, value, fault] of [
  ['without a sequence', '04 00', 'x509: malformed extension'],
  ['without a type', '30 02 04 00', 'x509: malformed extension OID field'],
  ['with an invalid type', '30 05 06 01 80 04 00', 'x509: malformed extension OID field'],
  ['with an invalid boolean', `30 09 ${ID} 01 01 01 04 00`, 'x509: malformed extension critical field'],
  ['with a truncated boolean', `30 06 ${ID} 01 01`, 'x509: malformed extension critical field'],
  ['without a value', `30 04 ${ID}`, 'x509: malformed extension value field'],
  [
    'that occurs twice',
    `30 06 ${ID} 04 00 30 06 ${ID} 04 00`,
    'x509: certificate contains duplicate extension with OID "1.2.3"',
  ],
] as const)
  test(`an extension ${what} is refused: ${fault}`, (t) => {
    t.throws(() => readExtensionList(listOf(value)), { instanceOf: TranslateError, message: fault });
  });

test('two certificates have the same alternative names if the bytes are equal, or if both have none', (t) => {
  const [none, one, other] = [
    processExtensions([], '1.26'),
    read(ALTERNATIVE_NAMES, '30 03 82 01 61'),
    read(ALTERNATIVE_NAMES, '30 03 82 01 62'),
  ] as const;
  t.deepEqual(
    [sameAlternativeNames(none, none), sameAlternativeNames(one, one), sameAlternativeNames(one, other)],
    [true, true, false],
  );
  t.false(sameAlternativeNames(none, one));
});
