// The local MSP of a node. causes.test.ts has the other faults.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { makeCertificate } from '../../../helpers/made-certificates.js';
import { causesOf, type ChangedNode } from '../../../helpers/preflight-node.js';

type Case = readonly [title: string, node: ChangedNode, found: readonly string[]];

const LONG = ['20200101000000Z', '20491231235959Z'] as const;
const other = makeCertificate({ commonName: 'other', validity: LONG });
const keyOf = ({ key }: typeof other): string => key.export({ type: 'pkcs8', format: 'pem' }) as string;
const remove = (path: string) => (cwd: string) => rmSync(join(cwd, path), { recursive: true });
const PARAMETERS = '-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n';

/** A read of a file in the key store of the node, and its content with something before. */
const prepend = (path: string, text: string) => (cwd: string) =>
  writeFileSync(join(cwd, path), text + readFileSync(join(cwd, path), 'utf8'));

const CASES: readonly Case[] = [
  [
    'no directory',
    { kind: 'peer', values: { 'peer.mspConfigPath': 'none', 'peer.localMspId': '' } },
    [
      'msp-path-missing at core.yaml: peer.mspConfigPath: cannot init crypto, specified path "DIR/none" does not exist or cannot be accessed',
    ],
  ],
  [
    'no id, and no certificate',
    { kind: 'peer', values: { 'peer.localMspId': '' }, change: remove('msp/signcerts') },
    ['msp-id-missing at core.yaml: peer.localMspId: the local MSP must have an ID'],
  ],
  ...(
    [
      ['3.1.5', 'could not load signing certificate from'],
      ['3.1.3', 'could not load a valid signer certificate from'],
      ['2.5.16', 'could not load a valid signer certificate from'],
    ] as const
  ).map(([version, prints]): Case => [
    `no signcerts, version ${version}`,
    { kind: 'orderer', version, change: remove('msp/signcerts') },
    [
      `signcerts-missing at DIR/msp/signcerts: ${prints} directory DIR/msp/signcerts: stat DIR/msp/signcerts: no such file or directory`,
    ],
  ]),
  ...(
    [
      ['3.1.5', 'no ca certificate found in directory'],
      ['3.0.0', 'Setup error: nil conf reference'],
    ] as const
  ).map(([version, prints]): Case => [
    `an empty cacerts, version ${version}`,
    { kind: 'orderer', version, change: remove('msp/cacerts/ca.pem') },
    [`cacerts-missing at DIR/msp/cacerts: ${prints}`],
  ]),
  [
    'no key, but the key of another certificate',
    { kind: 'orderer', change: (cwd) => writeFileSync(join(cwd, 'msp/keystore/key.pem'), keyOf(other)) },
    ['key-missing at DIR/msp/keystore: KeyMaterial not found in SigningIdentityInfo'],
  ],
  [
    'no keystore',
    { kind: 'orderer', change: remove('msp/keystore') },
    ['key-missing at DIR/msp/keystore: KeyMaterial not found in SigningIdentityInfo'],
  ],
  [
    'several keys, and directories and other files beside them',
    {
      kind: 'orderer',
      change(cwd) {
        mkdirSync(join(cwd, 'msp/keystore/a'));
        writeFileSync(join(cwd, 'msp/keystore/b'), 'no PEM');
        writeFileSync(join(cwd, 'msp/keystore/c'), keyOf(other));
      },
    },
    [],
  ],
  // Only the first block of a file counts.
  [
    'a key after the parameters of its curve',
    { kind: 'orderer', change: prepend('msp/keystore/key.pem', PARAMETERS) },
    ['key-missing at DIR/msp/keystore: KeyMaterial not found in SigningIdentityInfo'],
  ],
  [
    'a key in a file of 64 KiB',
    {
      kind: 'orderer',
      change: (cwd) => {
        const path = join(cwd, 'msp/keystore/key.pem');
        writeFileSync(path, readFileSync(path, 'utf8').padEnd(65_536));
      },
    },
    [],
  ],
  [
    'a key in a larger file, which Fabric does not read',
    {
      kind: 'orderer',
      change: (cwd) => {
        const path = join(cwd, 'msp/keystore/key.pem');
        writeFileSync(path, readFileSync(path, 'utf8').padEnd(65_537));
      },
    },
    ['key-missing at DIR/msp/keystore: KeyMaterial not found in SigningIdentityInfo'],
  ],
];

for (const [title, node, found] of CASES)
  test(`the MSP of ${node.kind === 'peer' ? 'a peer' : 'an orderer'} with ${title}: ${found.join('; ') || 'no cause'}`, async (t) => {
    t.deepEqual(
      (await causesOf(t, node)).map(({ id, where, prints }) => `${id} at ${where}: ${prints}`),
      [...found],
    );
  });

for (const [before, isFound] of [
  [999, true],
  [1000, false],
] as const)
  test(`a key after ${before} other files of the keystore is ${isFound ? 'found' : 'not searched'}`, async (t) => {
    const causes = await causesOf(t, {
      kind: 'orderer',
      change(cwd) {
        for (let index = 0; index < before; index += 1)
          writeFileSync(join(cwd, `msp/keystore/a${index}`), '');
      },
    });
    t.deepEqual(
      causes.map(({ id }) => id),
      isFound ? [] : ['key-missing'],
    );
  });

for (const [validity, id, when] of [
  [['20200101000000Z', '20210101000000Z'], 'signcert-expired', 'expired on 2021-01-01T00:00:00.000Z'],
  [
    ['20490101000000Z', '20491231235959Z'],
    'signcert-not-yet-valid',
    'is not valid before 2049-01-01T00:00:00.000Z',
  ],
] as const)
  test(`the signing certificate of a peer that ${when}`, async (t) => {
    const causes = await causesOf(t, {
      kind: 'peer',
      change(cwd) {
        const issuer = makeCertificate({ commonName: 'ca', validity: LONG });
        const own = makeCertificate({ commonName: 'peer', unit: 'peer', validity, issuer });
        writeFileSync(join(cwd, 'msp/cacerts/ca.pem'), issuer.pem);
        writeFileSync(join(cwd, 'msp/signcerts/cert.pem'), own.pem);
        writeFileSync(join(cwd, 'msp/keystore/key.pem'), keyOf(own));
      },
    });
    t.deepEqual(
      causes.map((each) => each.id),
      [id],
    );
    t.true(causes[0]!.means.startsWith(`the signing certificate ${when}`), causes[0]!.means);
  });
