// `org revoke`: with the list of a CA, and with the key of a CA.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { decode } from '../../../proto/to-json.js';
import { channelOf, readConfigFile, readUpdateFile, applyUpdate } from '../../../translator/channel/index.js';
import { readRevocationList, setupChannelMsps } from '../../../translator/msp/index.js';
import { runCommand, type CommandOutcome } from '../../helpers/cli.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { makeBlock } from '../../helpers/made-block.js';
import { makeCertificate } from '../../helpers/made-certificates.js';
import { BLOCKS } from '../../helpers/migration.js';

const LONG = ['20260101000000Z', '20360101000000Z'] as const;

/** A channel whose Org1MSP has a CA with a known key, and certificates of the CA. Returns how a command revokes in it. */
function prepare(t: ExecutionContext) {
  const directory = temporaryFolder(t);
  const at = (name: string): string => join(directory, name);
  const ca = makeCertificate({ commonName: 'ca', validity: LONG });
  const document = decode('common.Block', BLOCKS[0]!);
  const [, old = ''] = /"Org1MSP": \{.*?"root_certs": \[\s*"([^"]+)"/s.exec(document) ?? [];
  writeFileSync(at('block.pb'), makeBlock(document.replaceAll(old, ca.pem.toString('base64'))));
  writeFileSync(at('ca.key'), ca.key.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(at('ca.pem'), ca.pem);
  for (const commonName of ['alice', 'bob'])
    writeFileSync(
      at(`${commonName}.pem`),
      makeCertificate({ commonName, unit: 'client', validity: LONG, issuer: ca }).pem,
    );
  const other = makeCertificate({ commonName: 'other', validity: LONG });
  writeFileSync(at('other.pem'), makeCertificate({ commonName: 'eve', validity: LONG, issuer: other }).pem);
  writeFileSync(at('other.key'), other.key.export({ type: 'pkcs8', format: 'pem' }));
  const run = async (line: string): Promise<CommandOutcome> => {
    const outcome = await runCommand(
      t,
      line.split(' ').map((each) => each.replace('@', `${directory}/`)),
    );
    return { ...outcome, stderr: outcome.stderr.replaceAll(directory, 'DIR') };
  };
  return { at, run };
}

/** The revocation lists of Org1MSP after an update. */
async function listsAfter(block: string, update: string) {
  const { config } = readConfigFile(readFileSync(block));
  const after = applyUpdate(config, readUpdateFile(readFileSync(update)).update).config;
  const { manager, faults } = await setupChannelMsps(after);
  return { config: after, faults, msp: manager.msps.get('Org1MSP')! };
}

test('org revoke with the key of the CA revokes certificates, and keeps those that are revoked', async (t) => {
  const { at, run } = prepare(t);
  const made = await run('org revoke @block.pb Org1MSP @alice.pem --ca-key @ca.key -o @1.pb');
  t.is(made.status, 0, made.stderr);
  t.regex(
    made.stderr,
    /^configtxlator: note: CN=alice of Org1MSP revoked, serial number [0-9A-F]+\nconfigtxlator: note: the revocation list of CN=ca has 1 certificate\n/,
  );
  const second = await run('org revoke @block.pb Org1MSP @bob.pem --ca-key @ca.key --onto @1.pb -o @2.pb');
  t.is(second.status, 0, second.stderr);
  t.regex(second.stderr, /^configtxlator: note: the revocation list of CN=ca has 2 certificates$/m);
  const { msp, faults } = await listsAfter(at('block.pb'), at('2.pb'));
  t.deepEqual(faults, []);
  t.is(msp.trust.revocationLists.length, 1);
  t.is(msp.trust.revocationLists[0]!.serials.size, 2);
  const again = await run('org revoke @block.pb Org1MSP @alice.pem --ca-key @ca.key --onto @1.pb -o @3.pb');
  t.regex(
    again.stderr,
    /^configtxlator: error: DIR\/alice\.pem is revoked already, serial number [0-9A-F]+\n$/,
  );
});

test('identity names a certificate that org revoke has revoked, and openssl reads the list', async (t) => {
  const { at, run } = prepare(t);
  await run('org revoke @block.pb Org1MSP @alice.pem --ca-key @ca.key -o @1.pb');
  const { msp, config } = await listsAfter(at('block.pb'), at('1.pb'));
  const organization = channelOf(config).organizations.find(({ mspId }) => mspId === 'Org1MSP')!;
  t.truthy(organization);
  const pem = /-----BEGIN X509 CRL-----[^]*?-----END X509 CRL-----\n/.exec(
    Buffer.from(organization.group.values.get('MSP')!.value).toString('latin1'),
  )![0];
  writeFileSync(at('crl.pem'), pem);
  const text = execFileSync(
    'openssl',
    ['crl', '-in', at('crl.pem'), '-noout', '-text', '-CAfile', at('ca.pem')],
    {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  t.regex(text, /Version 2[^]*Issuer: CN = ca[^]*X509v3 Authority Key Identifier[^]*X509v3 CRL Number/);
  t.deepEqual(readRevocationList(Buffer.from(pem)).serials, msp.trust.revocationLists[0]!.serials);
  // The list of the CA is taken as well.
  const taken = await run('org revoke @block.pb Org1MSP @alice.pem --crl @crl.pem -o @2.pb');
  t.is(taken.status, 0, taken.stderr);
  t.deepEqual(readFileSync(at('2.pb')), readFileSync(at('1.pb')));
});

for (const [line, error] of [
  ['@alice.pem', 'either --crl FILE or --ca-key FILE is needed, try --help'],
  ['@alice.pem --crl @crl.pem --ca-key @ca.key', 'either --crl FILE or --ca-key FILE is needed, try --help'],
  [
    '@other.pem --ca-key @ca.key',
    'DIR/other.pem is not a certificate of Org1MSP: the supplied identity is not valid: x509: certificate signed by unknown authority',
  ],
  ['@ca.pem --ca-key @ca.key', 'DIR/ca.pem is a root CA of Org1MSP: remove it from the MSP instead'],
  ['@ca.key --ca-key @ca.key', 'DIR/ca.key is not a certificate in PEM'],
  ['@alice.pem --ca-key @other.key', 'the key does not belong to the certificate of CN=ca'],
  [
    '@bob.pem --crl @crl.pem',
    /the revocation list does not contain the serial number [0-9A-F]+ of DIR\/bob\.pem/,
  ],
] as const)
  test(`org revoke BLOCK Org1MSP ${line}: ${String(error)}`, async (t) => {
    const { at, run } = prepare(t);
    await run('org revoke @block.pb Org1MSP @alice.pem --ca-key @ca.key -o @1.pb');
    const { config } = await listsAfter(at('block.pb'), at('1.pb'));
    const organization = channelOf(config).organizations.find(({ mspId }) => mspId === 'Org1MSP')!;
    const text = Buffer.from(organization.group.values.get('MSP')!.value).toString('latin1');
    writeFileSync(at('crl.pem'), /-----BEGIN X509 CRL-----[^]*?-----END X509 CRL-----\n/.exec(text)![0]);
    const { status, stderr } = await run(`org revoke @block.pb Org1MSP ${line} -o @2.pb`);
    t.is(status, 1);
    if (typeof error === 'string') t.is(stderr, `configtxlator: error: ${error}\n`);
    else t.regex(stderr, error);
  });

test('an unknown organisation is named with the closest one, and a list of another CA is refused', async (t) => {
  const { at, run } = prepare(t);
  t.is(
    (await run('org revoke @block.pb Org1MSPP @alice.pem --ca-key @ca.key -o @2.pb')).stderr,
    'configtxlator: error: there is no organisation "Org1MSPP"; did you mean Org1MSP?\n',
  );
  const config = [
    '[ca]',
    'default_ca=c',
    '[c]',
    `database=${at('index')}`,
    'default_md=sha256',
    'default_crl_days=1',
  ];
  writeFileSync(at('openssl.cnf'), `${config.join('\n')}\n`);
  writeFileSync(at('index'), '');
  writeFileSync(at('self.pem'), readFileSync(at('ca.pem')));
  execFileSync(
    'openssl',
    [
      'ca',
      '-gencrl',
      '-config',
      at('openssl.cnf'),
      '-keyfile',
      at('ca.key'),
      '-cert',
      at('ca.pem'),
      '-out',
      at('no-aki.pem'),
    ],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  t.is(
    (await run('org revoke @block.pb Org1MSP @alice.pem --crl @no-aki.pem -o @2.pb')).stderr,
    'configtxlator: error: the revocation list of CN=ca is not signed by a CA of Org1MSP, or has no authority key identifier of one: Fabric would ignore it\n',
  );
});
