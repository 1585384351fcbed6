// An MSP as data and in words. Other tests have the summaries of whole channels.

import test from 'ava';
import { serialize, type Tree } from '../../fuzz/review/messages.js';
import { makeCertificate } from '../../helpers/made-certificates.js';
import { mspText, summariseMsp } from '../../../translator/documents/msp.js';

const NOW = new Date('2026-11-26T00:00:00Z');
const NOTHING = {
  nodeOus: false,
  admins: [],
  rootCas: [],
  intermediateCas: [],
  tlsCas: [],
  revocationLists: 0,
};

test('an organisation without an MSP has no certificates and no revocation lists', (t) => {
  const summary = summariseMsp(() => undefined, 'V3_0');
  t.deepEqual(summary, { type: 'none', ...NOTHING });
  t.is(mspText(summary, NOW), 'no MSP');
});

test('an Idemix MSP is not shown', (t) => {
  const summary = summariseMsp(() => ({ type: 1, config: Uint8Array.of() }), 'V3_0');
  t.deepEqual(summary, { type: 'other', error: 'MSP of type 1', ...NOTHING });
  t.is(mspText(summary, NOW), 'an MSP that cannot be shown (MSP of type 1)');
});

const pem = makeCertificate({ commonName: 'x', validity: ['20260101000000Z', '20360101000000Z'] }).pem;
const WORDS = 'CN=x until 2036-01-01';
const mspOf = (config: Tree) => ({ type: 0, config: serialize('msp.FabricMSPConfig', config) });
const adminUnit = (name: string, enable = true): Tree => ({
  fabric_node_ous: { enable, admin_ou_identifier: { organizational_unit_identifier: name } },
});

for (const [what, config, version, text] of [
  ['without anything', {}, 'V3_0', 'CA none; admins: nobody'],
  ['with a unit of admins', adminUnit('admin'), 'V1_4_3', 'CA none; admins: OU admin'],
  // Admin units count since V1_4_3.
  ['with a unit that does not count yet', adminUnit('admin'), 'V1_3', 'CA none; admins: nobody'],
  ['with an empty unit', adminUnit(''), 'V3_0', 'CA none; admins: nobody'],
  ['with a unit, and without NodeOUs', adminUnit('admin', false), 'V3_0', 'CA none; admins: nobody'],
  [
    'with CAs and admins',
    { ...adminUnit('admin'), root_certs: [pem], intermediate_certs: [pem], admins: [pem] },
    'V3_0',
    `CA ${WORDS}, ${WORDS}; admins: OU admin, ${WORDS}`,
  ],
  [
    'with seven CAs',
    { root_certs: Array.from({ length: 7 }, () => pem) },
    'V3_0',
    `CA ${Array.from({ length: 7 }, () => WORDS).join(', ')}; admins: nobody`,
  ],
  [
    'with eight CAs',
    { root_certs: Array.from({ length: 8 }, () => pem) },
    'V3_0',
    `CA ${Array.from({ length: 6 }, () => WORDS).join(', ')} and 2 more; admins: nobody`,
  ],
] as const)
  test(`an MSP ${what}: ${text}`, (t) => {
    t.is(
      mspText(
        summariseMsp(() => mspOf(config), version),
        NOW,
      ),
      text,
    );
  });

test('the TLS CAs of an MSP are its TLS root CAs and TLS intermediate CAs, and its revocation lists are counted', (t) => {
  const { tlsCas, revocationLists, type, nodeOus } = summariseMsp(
    () => mspOf({ tls_root_certs: [pem], tls_intermediate_certs: [pem], revocation_list: [pem, pem] }),
    'V3_0',
  );
  t.deepEqual([tlsCas.length, revocationLists, type, nodeOus], [2, 2, 'fabric', false]);
});

test('an MSP that cannot be read has the reason, on one line', (t) => {
  const summary = summariseMsp(() => ({ type: 0, config: Buffer.from('ff', 'hex') }), 'V3_0');
  t.is(mspText(summary, NOW), 'an MSP that cannot be shown (proto: cannot parse invalid wire-format data)');
});
