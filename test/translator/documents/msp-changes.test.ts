// The units of a new MSP in words.

import test from 'ava';
import { encode } from '../../../proto/index.js';
import { changeText } from '../../../translator/documents/value-change.js';
import { mspChanges } from '../../../translator/documents/msp-changes.js';
import { makeCertificate } from '../../helpers/made-certificates.js';

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
  mspChanges(NONE, mspWith(pem)).filter((change) => changeText(change).includes('unit of ')).length;

test('a new MSP is shown without its units if they have the names of the roles and the first CA', (t) => {
  t.is(unitsShown(first!), 0);
});

test('a new MSP is shown with its units if they have the second CA', (t) => {
  t.is(unitsShown(second!), 4);
});

test('a CA that is added or removed has its kind and its name as data', (t) => {
  const changes = mspChanges(mspWith(first!), NONE).flatMap(({ change, entry }) =>
    entry === undefined ? [] : [[change, entry]],
  );
  t.deepEqual(changes, [
    ['removed', { kind: 'CA', name: 'CN=ca.first' }],
    ['removed', { kind: 'CA', name: 'CN=ca.second' }],
  ]);
});
