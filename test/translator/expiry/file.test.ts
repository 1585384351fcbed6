// The use of certificates in files, by the directory, and how to renew them.

import test from 'ava';
import { decodePem } from '../../../core/common/certificates/pem.js';
import { certificatesInFile } from '../../../translator/expiry/index.js';
import { makeCertificate, makeRevocationList } from '../../helpers/made-certificates.js';

const ca = makeCertificate({ commonName: 'ca' });
const leaf = makeCertificate({ commonName: 'leaf', issuer: ca });

const ROTATE = 'configtxlator consenter rotate CHANNEL HOST:PORT';
const SET_MSP = 'configtxlator org set-msp CHANNEL ORG --msp NEW_MSP_DIRECTORY -o update.pb';

for (const [path, made, use, command] of [
  ['msp/cacerts/a.pem', ca, 'ca', SET_MSP],
  ['ca/a.pem', ca, 'ca', SET_MSP],
  ['msp/intermediatecerts/a.pem', ca, 'intermediate-ca', SET_MSP],
  ['msp/tlscacerts/a.pem', ca, 'tls-ca', SET_MSP],
  ['tlsca/a.pem', ca, 'tls-ca', SET_MSP],
  ['msp/tlsintermediatecerts/a.pem', ca, 'tls-intermediate-ca', SET_MSP],
  ['msp/admincerts/a.pem', leaf, 'admin', SET_MSP],
  ['msp/signcerts/a.pem', leaf, 'identity', `${ROTATE} --identity NEW_SIGNCERT.pem -o update.pb`],
  ['tls/server.crt', leaf, 'tls', `${ROTATE} --tls-cert NEW_TLS.pem -o update.pb`],
  ['tls/ca.crt', ca, 'tls-ca', SET_MSP],
  ['a.pem', ca, 'ca', SET_MSP],
  ['signcerts', leaf, 'certificate', undefined],
  ['signcerts/more/a.pem', leaf, 'certificate', undefined],
] as const)
  test(`the certificate ${made === ca ? 'of a CA ' : ''}in ${path} is of the use ${use}`, (t) => {
    const [found, ...others] = certificatesInFile(made.pem, path)!;
    t.deepEqual(others, []);
    t.like(found, { source: path, use, recipe: { command } });
  });

test('a revocation list in any directory has its use, and other PEM nothing that expires', (t) => {
  const list = makeRevocationList(ca.name, []);
  t.like(certificatesInFile(list, 'msp/cacerts/list.pem')?.[0], {
    use: 'revocation-list',
    issuer: 'CN=ca',
    recipe: { command: SET_MSP },
  });
  const key = Buffer.from('-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n');
  t.deepEqual(certificatesInFile(key, 'msp/keystore/key.pem'), []);
  t.is(certificatesInFile(Buffer.from('text'), 'a.txt'), undefined);
  t.is(certificatesInFile(Buffer.from([1, 2, 3]), 'a.bin'), undefined);
});

test('a certificate that cannot be read is named with the use of its directory', (t) => {
  const broken = decodePem(leaf.pem)!.bytes.subarray(0, 60);
  const [found] = certificatesInFile(broken, 'msp/signcerts/a.pem')!;
  t.true('error' in found!);
  t.like(found, { source: 'msp/signcerts/a.pem', use: 'identity' });
});
