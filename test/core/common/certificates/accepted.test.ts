// Whether the other side of a connection accepts a certificate.

import { X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import test from 'ava';
import { certificatesIn, clientProblem, isValidFor } from '../../../../core/common/certificates/accepted.js';
import { hasIssued, hashOfKey, isIssuedBy } from '../../../../core/common/certificates/chain.js';
import { temporaryFolder } from '../../../helpers/folder.js';
import { makeCertificate, type Made } from '../../../helpers/made-certificates.js';

const read = ({ pem }: Made): X509Certificate => new X509Certificate(pem);
const root = makeCertificate({ commonName: 'root' });
const other = makeCertificate({ commonName: 'root' });
const middle = makeCertificate({ commonName: 'middle', issuer: root, isCa: true });
const leaf = makeCertificate({ commonName: 'leaf', issuer: middle });
const [ROOT, OTHER, MIDDLE, LEAF] = [root, other, middle, leaf].map(read) as [
  X509Certificate,
  X509Certificate,
  X509Certificate,
  X509Certificate,
];

for (const [what, chain, cas, isIssued] of [
  ['by the CA that is given', [MIDDLE], [ROOT], true],
  ['through an intermediate CA', [LEAF, MIDDLE], [ROOT], true],
  ['through an intermediate CA among others', [LEAF, OTHER, MIDDLE], [OTHER, ROOT], true],
  ['by an intermediate CA that is given', [LEAF], [MIDDLE], true],
  ['without the intermediate CA', [LEAF], [ROOT], false],
  ['by another CA with the same name', [LEAF, MIDDLE], [OTHER], false],
  ['because it is given itself', [LEAF], [LEAF], true],
  ['without CAs', [LEAF, MIDDLE], [], false],
  ['without a certificate', [], [ROOT], false],
] as const)
  test(`a certificate is ${isIssued ? '' : 'not '}issued ${what}`, (t) => {
    t.is(isIssuedBy(chain, cas), isIssued);
  });

for (const [length, isIssued] of [
  [10, true],
  [11, false],
] as const)
  test(`a chain of ${length} certificates below a CA is ${isIssued ? 'followed' : 'not followed'} to its end`, (t) => {
    const made = [root];
    while (made.length <= length)
      made.push(makeCertificate({ commonName: `c${made.length}`, issuer: made.at(-1)!, isCa: true }));
    const [ca, ...chain] = made.map(read);
    t.is(isIssuedBy(chain.toReversed(), [ca!]), isIssued);
  });

test('a CA has issued what its key signed', (t) => {
  t.true(hasIssued(ROOT, MIDDLE));
  t.false(hasIssued(OTHER, MIDDLE));
  t.false(hasIssued(MIDDLE, ROOT));
});

test('a renewed certificate with the same key has the same hash of its key', (t) => {
  const renewed = read(makeCertificate({ commonName: 'leaf', issuer: root, key: leaf.key }));
  t.is(hashOfKey(renewed), hashOfKey(LEAF));
  t.not(hashOfKey(MIDDLE), hashOfKey(LEAF));
});

const client = (wanted: Partial<Parameters<typeof makeCertificate>[0]>): X509Certificate =>
  read(makeCertificate({ commonName: 'client', issuer: root, ...wanted }));

for (const [what, chain, problem] of [
  ['with client authentication', [client({ usage: 'clientAuth' })], undefined],
  ['without an extended key usage', [client({})], undefined],
  [
    'with server authentication',
    [client({ usage: 'serverAuth' })],
    'its extended key usage does not include client authentication',
  ],
  ['of another CA', [client({ issuer: other })], 'it was not issued by a client CA of the node'],
  [
    'that has expired',
    [client({ validity: ['20200101000000Z', '20200102000000Z'] })],
    /^it (?:has )?expired/,
  ],
  ['that is missing', [], 'there is no certificate'],
] as const)
  test(`a client certificate ${what}: ${problem?.toString() ?? 'accepted'}`, (t) => {
    const found = clientProblem(chain, [ROOT]);
    if (problem instanceof RegExp) t.regex(found ?? '', problem);
    else t.is(found, problem);
  });

for (const [host, isValid] of [
  ['peer0', true],
  ['10.0.0.1', true],
  ['peer1', false],
  ['10.0.0.2', false],
] as const)
  test(`a certificate of peer0 and 10.0.0.1 is ${isValid ? '' : 'not '}valid for ${host}`, (t) => {
    t.is(isValidFor(client({ names: ['DNS:peer0', 'IP:10.0.0.1'] }), host), isValid);
  });

for (const [count, found] of [
  [0, 0],
  [1, 1],
  [100, 100],
  [101, 100],
] as const)
  test(`of a file with ${count} certificates ${found} are examined`, (t) => {
    const file = join(temporaryFolder(t, { pem: root.pem.toString().repeat(count) }), 'pem');
    t.is(certificatesIn(file).length, found);
  });

test('of a file that cannot be read, or with an invalid certificate, none is examined', (t) => {
  const invalid = `${root.pem.toString()}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`;
  t.deepEqual(certificatesIn(join(temporaryFolder(t, { pem: invalid }), 'pem')), []);
  t.deepEqual(certificatesIn('/no/such/file'), []);
});
