// Changes of an MSP in words.

import { X509Certificate } from 'node:crypto';
import test from 'ava';
import { encode } from '../../../proto/index.js';
import { changeText } from '../../../translator/documents/value-change.js';
import { mspChanges } from '../../../translator/documents/msp-changes.js';
import { certificateWords, hashWords } from '../../../translator/documents/certificate.js';
import { serialize, type Tree } from '../../fuzz/review/messages.js';
import { makeCertificate, makeRevocationList } from '../../helpers/made-certificates.js';

const NONE = { type: 0, config: new Uint8Array() };
const [first, second] = ['ca.first', 'ca.second'].map((commonName) => makeCertificate({ commonName }).pem);

/** An MSP with two CAs and NodeOUs. @param pem the CA of the units */
function mspWith(pem: Buffer) {
  const unit = (name: string): object => ({
    certificate: pem.toString('base64'),
    organizational_unit_identifier: name,
  });
  const config = encode(
    'msp.FabricMSPConfig',
    JSON.stringify({
      name: 'Org1MSP',
      root_certs: [first!, second!].map((each) => each.toString('base64')),
      fabric_node_ous: {
        enable: true,
        client_ou_identifier: unit('client'),
        peer_ou_identifier: unit('peer'),
        admin_ou_identifier: unit('admin'),
        orderer_ou_identifier: unit('orderer'),
      },
    }),
  );
  return { type: 0, config };
}

const unitsShown = (pem: Buffer): number =>
  mspChanges(NONE, mspWith(pem)).filter((change) => changeText(change).includes(' OU ')).length;

test('a new MSP is shown without its units if they have the names of the roles and the first CA', (t) => {
  t.is(unitsShown(first!), 0);
});

test('a new MSP is shown with its units if they have the second CA', (t) => {
  t.is(unitsShown(second!), 4);
});

test('a CA that is added or removed has its kind, its name and its fingerprint as data', (t) => {
  const changes = mspChanges(mspWith(first!), NONE).flatMap(({ change, entry }) =>
    entry === undefined ? [] : [[change, entry]],
  );
  t.deepEqual(changes, [
    ['removed', { kind: 'CA', name: 'CN=ca.first', sha256: fingerprintOf(first!) }],
    ['removed', { kind: 'CA', name: 'CN=ca.second', sha256: fingerprintOf(second!) }],
  ]);
});

const fingerprintOf = (pem: Buffer): string =>
  new X509Certificate(pem).fingerprint256.replaceAll(':', '').toLowerCase();

const ONE = makeCertificate({ commonName: 'one', validity: ['20260101000000Z', '20360101000000Z'] });
const TWO = makeCertificate({ commonName: 'two', validity: ['20260101000000Z', '20360101000000Z'] });
const [WORDS_ONE, WORDS_TWO] = [ONE, TWO].map(({ pem }) => certificateWords(pem)) as [string, string];

const fabric = (config: Tree): { type: number; config: Uint8Array } => ({
  type: 0,
  config: serialize('msp.FabricMSPConfig', config),
});
const unit = (certificate: Uint8Array, organizational_unit_identifier: string): Tree => ({
  certificate,
  organizational_unit_identifier,
});
const ous = (admin: Tree | undefined, enable = true): Tree => ({
  name: 'A',
  fabric_node_ous: { enable, ...(admin && { admin_ou_identifier: admin }) },
});
const lists = (...serials: readonly (readonly bigint[])[]): Tree => ({
  name: 'A',
  revocation_list: serials.map((each) => makeRevocationList(ONE.name, each, ONE)),
});
const range = (count: number): bigint[] => Array.from({ length: count }, (_, index) => BigInt(index + 1));
const TWELVE = '01, 02, 03, 04, 05, 06, 07, 08, 09, 0A, 0B, 0C';

const CHANGES: readonly (readonly [
  what: string,
  before: { type: number; config: Uint8Array },
  after: { type: number; config: Uint8Array },
  texts: readonly string[],
])[] = [
  ['nothing', fabric({ name: 'A' }), fabric({ name: 'A' }), []],
  ['the id', fabric({ name: 'A' }), fabric({ name: 'B' }), ['MSP id A → B']],
  [
    'another type',
    fabric({}),
    { type: 1, config: Buffer.from('x') },
    ['MSP type fabric → 1', `config none → ${hashWords(Buffer.from('x'))}`],
  ],
  [
    'an Idemix MSP',
    { type: 1, config: Buffer.from('x') },
    { type: 1, config: Buffer.from('y') },
    [`config ${hashWords(Buffer.from('x'))} → ${hashWords(Buffer.from('y'))}`],
  ],
  ['from an Idemix MSP', { type: 1, config: Buffer.of() }, fabric({}), ['MSP type 1 → fabric']],
  [
    'certificates of each kind',
    fabric({ name: 'A', root_certs: [ONE.pem], admins: [ONE.pem] }),
    fabric({
      name: 'A',
      root_certs: [TWO.pem],
      intermediate_certs: [ONE.pem],
      tls_root_certs: [ONE.pem],
      tls_intermediate_certs: [TWO.pem],
    }),
    [
      `CA ${WORDS_ONE} removed`,
      `CA ${WORDS_TWO} added`,
      `intermediate CA ${WORDS_ONE} added`,
      `admin ${WORDS_ONE} removed`,
      `TLS CA ${WORDS_ONE} added`,
      `TLS intermediate CA ${WORDS_TWO} added`,
    ],
  ],
  [
    'the order of CAs',
    fabric({ name: 'A', root_certs: [ONE.pem, TWO.pem] }),
    fabric({ name: 'A', root_certs: [TWO.pem, ONE.pem] }),
    ['CA: reordered'],
  ],
  [
    'NodeOUs',
    fabric(ous(undefined, false)),
    fabric(ous(unit(Buffer.of(), 'x'), true)),
    ['NodeOUs off → on', 'admin OU none → "x" of any CA'],
  ],
  [
    'the CA of a unit',
    fabric(ous(unit(Buffer.of(), 'x'))),
    fabric(ous(unit(ONE.pem, 'x'))),
    [`admin OU "x" of any CA → "x" of ${WORDS_ONE}`],
  ],
  [
    'required OUs',
    fabric({ name: 'A' }),
    fabric({
      name: 'A',
      organizational_unit_identifiers: [unit(Buffer.of(), 'x'), unit(Buffer.of(), 'y')],
    }),
    ['required OUs none → "x" of any CA, "y" of any CA'],
  ],
  [
    'hash functions',
    fabric({ name: 'A' }),
    fabric({ name: 'A', crypto_config: { signature_hash_family: 'SHA3' } }),
    ['hash family none → SHA3', 'hash of identities none → default'],
  ],
  [
    'a signing identity',
    fabric({ name: 'A' }),
    fabric({
      name: 'A',
      signing_identity: { public_signer: ONE.pem, private_signer: { key_material: Buffer.from('abc') } },
    }),
    [`signing identity none → ${WORDS_ONE} with 3 bytes of its private key`],
  ],
  [
    'a list without serial numbers',
    fabric({ name: 'A' }),
    fabric(lists([])),
    ['revocation lists: none → 1 with the serial numbers none'],
  ],
  [
    'twelve revoked certificates, one twice',
    fabric(lists([])),
    fabric(lists(range(12), [1n])),
    [`revocation lists: 1 with the serial numbers none → 2 with the serial numbers ${TWELVE}`],
  ],
  [
    'thirteen revoked certificates',
    fabric(lists(range(13))),
    fabric({ name: 'A' }),
    [`revocation lists: 1 with the serial numbers ${TWELVE} and 1 more → none`],
  ],
  [
    'an unreadable list',
    fabric({ name: 'A' }),
    fabric({ name: 'A', revocation_list: [Buffer.from('x')] }),
    ['revocation lists: none → 1 with the serial numbers unreadable'],
  ],
];

for (const [what, before, after, texts] of CHANGES)
  test(`an MSP changes, ${what}: ${texts.join('; ').replaceAll(/SHA-256 \w+…/g, 'SHA') || 'no words'}`, (t) => {
    t.deepEqual(mspChanges(before, after).map(changeText), texts);
  });
