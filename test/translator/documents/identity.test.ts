// The problems of an identity, and what to do, in words.

import test from 'ava';
import { problemWords, type IdentityProblem } from '../../../translator/documents/identity.js';

const MSPS = ['Org1MSP', 'Org2MSP'];

const PROBLEMS: readonly (readonly [problem: IdentityProblem, text: string, todo: string])[] = [
  [
    { kind: 'certificate-unreadable' },
    'the certificate cannot be read',
    'use the PEM file in signcerts of the MSP folder, without changes',
  ],
  [
    { kind: 'msp-unknown', mspid: 'X', msps: MSPS, issuers: ['Org1MSP'], near: ['Org2MSP'] },
    'the channel has no MSP with the id "X"; it has Org1MSP, Org2MSP; the certificate is issued by a CA that is in Org1MSP',
    'set the MSP id of the node or client to Org1MSP (localMspId, CORE_PEER_LOCALMSPID)',
  ],
  [
    { kind: 'msp-unknown', mspid: 'X', msps: MSPS, issuers: [], near: MSPS },
    'the channel has no MSP with the id "X"; it has Org1MSP, Org2MSP',
    'set the MSP id to Org1MSP or Org2MSP',
  ],
  [
    { kind: 'msp-unknown', mspid: 'X', msps: MSPS, issuers: [], near: [] },
    'the channel has no MSP with the id "X"; it has Org1MSP, Org2MSP',
    'set the MSP id of an organisation of the channel, or add the organisation: configtxlator org add',
  ],
  [
    { kind: 'msp-invalid', mspid: 'X', reason: 'no CA' },
    'the MSP X of the channel cannot be set up: no CA',
    'check the config with configtxlator check',
  ],
  [
    { kind: 'issued-by-other', mspid: 'X', issuers: MSPS },
    'it is issued by a CA that is in Org1MSP or Org2MSP, not in X',
    'set the MSP id to Org1MSP or Org2MSP, or use a certificate of a CA of X',
  ],
  [
    { kind: 'tls-certificate', issuers: ['X'] },
    'it is a TLS certificate: it is issued by a TLS CA of X',
    'use the certificate in msp/signcerts, not the one in tls',
  ],
  [
    { kind: 'ca-replaced', issuer: 'CN=ca', msps: ['X'] },
    'a CA with the name of its issuer, CN=ca, is in X, but with another key: the CA was made again after the channel, or before the certificate',
    'use certificates of the CA that is in the channel, or put the new CA into the channel: configtxlator org set-msp',
  ],
  [
    { kind: 'issuer-unknown', issuer: 'CN=ca', msps: MSPS },
    'its issuer CN=ca is in no MSP of the channel (Org1MSP, Org2MSP)',
    'use a certificate of a CA of the channel; if an intermediate CA issued it, this CA must be in the MSP',
  ],
  [
    { kind: 'chain-invalid', mspid: 'X' },
    'its chain to the CAs of X is not valid',
    "read the reason; it is Fabric's, from the verification of the chain",
  ],
  [
    { kind: 'is-ca' },
    'it is the certificate of a CA, which cannot be an identity',
    'enroll an identity with this CA',
  ],
  [
    { kind: 'key-type', type: 'RSA', isAllowedWithV3: false },
    'its key is of the type RSA',
    'use an ECDSA key, or, with the channel capability V3_0, Ed25519',
  ],
  [
    { kind: 'key-type', type: 'Ed25519', isAllowedWithV3: true },
    'its key is of the type Ed25519',
    'use an ECDSA key, or set the channel capability V3_0',
  ],
  [
    { kind: 'revoked', mspid: 'X', serial: '0a' },
    'it is revoked: its serial number 0a is in a revocation list of X',
    'enroll again; the new certificate has another serial number',
  ],
  [
    { kind: 'revocation-unclear', mspid: 'X' },
    'a revocation list of X, or the CA, has no key identifier',
    'replace the revocation list: with it no identity of the CA is valid',
  ],
  [
    { kind: 'unit-missing', mspid: 'X', units: [], wanted: ['peer'] },
    'the OU peer is not in the certificate: the certificate has no OU',
    'register the identity with a type, which becomes its OU (fabric-ca-client register --id.type peer), and enroll again',
  ],
  [
    { kind: 'unit-missing', mspid: 'X', units: ['staff'], wanted: ['client', 'peer'] },
    'none of the OUs client, peer is in the certificate: the certificate has staff',
    'register the identity with a type, which becomes its OU (fabric-ca-client register --id.type client), and enroll again',
  ],
  [
    { kind: 'units-several', units: ['client', 'peer'] },
    'it has the OUs of more than one role: client, peer',
    'enroll a certificate with one of them',
  ],
  [
    { kind: 'unit-of-other-ca', mspid: 'X', units: ['peer'] },
    'X takes its OU (peer) only from another CA of the MSP',
    'use a certificate of the CA that the NodeOUs of the MSP name, or submit the MSP without the lines Certificate of NodeOUs in config.yaml: configtxlator org set-msp',
  ],
  [
    { kind: 'key-mismatch', reason: 'it is another key' },
    'it is another key',
    'use the private key that was made with the certificate, or enroll again',
  ],
  [
    { kind: 'signature-invalid', reason: 'wrong' },
    'its signature is not valid: wrong',
    'sign again, with the private key of this certificate, and do not change what was signed',
  ],
  [
    { kind: 'expired', notAfter: '2026-11-22T10:00:00.000Z' },
    'it expired on 2026-11-22: orderers and peers refuse what it sends; its signatures on config updates count',
    'enroll again (fabric-ca-client reenroll)',
  ],
  [
    { kind: 'not-yet-valid', notBefore: '2026-11-22T10:00:00.000Z' },
    'it is valid from 2026-11-22T10:00:00.000Z on only',
    'compare the clocks of the CA and of this computer',
  ],
  [
    {
      kind: 'depends-on-version',
      verdicts: [
        { releases: '3.1', reason: null },
        { releases: '2.5', reason: 'bad' },
      ],
    },
    'whether it is valid depends on the version of Fabric: 3.1: valid; 2.5: bad',
    'say which versions of Fabric the nodes run, or use another certificate',
  ],
];

for (const [problem, text, todo] of PROBLEMS)
  test(`an identity with the problem ${JSON.stringify(problem)}: ${text}`, (t) => {
    t.deepEqual(problemWords(problem as never), { text, todo });
  });
