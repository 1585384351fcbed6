// An administrator whose key is in a PKCS #11 device (SoftHSM) changes the channel of a real network.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { readEnvelope } from '../../translator/channel/index.js';
import { channelAt, translatorAs, untilServed } from './fabric/live-channel.js';
import { startNetwork } from './fabric/network.js';
import { NEWEST } from './fabric/programs.js';

const MODULE = '/usr/lib/softhsm/libsofthsm2.so';
const PIN = '1234';
/** Half of all signatures of the device have a high s, which orderers refuse. */
const SIGNATURES = 6;

/** Makes a token with a P-256 key; returns the command that signs with it, and the public key (PEM). */
function makeToken(directory: string): { readonly command: string; readonly publicKey: string } {
  const tokens = join(directory, 'tokens');
  mkdirSync(tokens);
  const config = join(directory, 'softhsm2.conf');
  writeFileSync(config, `directories.tokendir = ${tokens}\n`);
  const run = (program: string, ...args: readonly string[]): Buffer =>
    execFileSync(program, args, {
      env: { ...process.env, SOFTHSM2_CONF: config },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  run('softhsm2-util', '--init-token', '--free', '--label', 'fabric', '--pin', PIN, '--so-pin', PIN);
  const login = ['--module', MODULE, '--login', '--pin', PIN, '--id', '01'];
  run('pkcs11-tool', ...login, '--keypairgen', '--key-type', 'EC:prime256v1', '--label', 'admin');
  const der = join(directory, 'public.der');
  run('pkcs11-tool', ...login, '--read-object', '--type', 'pubkey', '--output-file', der);
  const publicKey = join(directory, 'public.pem');
  run('openssl', 'pkey', '-pubin', '-inform', 'DER', '-in', der, '-out', publicKey);
  return {
    command: `SOFTHSM2_CONF=${config} pkcs11-tool ${login.join(' ')} --sign --mechanism ECDSA 2>/dev/null`,
    publicKey,
  };
}

/** A certificate of an administrator for a public key, issued by the CA of an organisation of cryptogen. */
function issue(directory: string, domain: string, publicKey: string): string {
  const at = (name: string): string => join(directory, name);
  const ca = at(`crypto/peerOrganizations/${domain}/ca`);
  const openssl = (...args: readonly string[]): Buffer =>
    execFileSync('openssl', args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc', '-keyout', at('unused.key')];
  openssl('req', '-new', ...key, '-subj', '/OU=admin/CN=hsm-admin', '-out', at('request.pem'));
  const issuer = ['-CA', `${ca}/ca.${domain}-cert.pem`, '-CAkey', `${ca}/priv_sk`];
  const extensions = at('extensions');
  writeFileSync(extensions, 'keyUsage = critical, digitalSignature\nauthorityKeyIdentifier = keyid\n');
  openssl(
    'x509',
    '-req',
    '-in',
    at('request.pem'),
    '-force_pubkey',
    publicKey,
    ...issuer,
    '-CAcreateserial',
    '-days',
    '1',
    '-extfile',
    extensions,
    '-out',
    at('hsm-admin.pem'),
  );
  return at('hsm-admin.pem');
}

for (const version of NEWEST)
  test.serial(`${version}: orderers accept the signatures of a key in a PKCS #11 device`, async (t) => {
    const network = await startNetwork(t, { version });
    const { directory, orderers } = network;
    const { command, publicKey } = makeToken(directory);
    const certificate = issue(directory, 'org1.example.com', publicKey);
    // Another member of the channel submits.
    const submitter = translatorAs(t, network, orderers[0].identity);
    await untilServed(submitter, orderers[0]);
    const run = async (...args: readonly string[]): Promise<string> => {
      const { status, stdout, stderr } = await submitter.run(...args);
      t.is(status, 0, stderr);
      return stdout;
    };
    const signer = ['--certificate', certificate];
    const channel = channelAt(...orderers);
    for (let port = 1; port <= SIGNATURES; port++) {
      await run(
        'anchor-peers',
        'set',
        channel,
        'Org1MSP',
        `peer0.org1.example.com:${port}`,
        '-o',
        'update.pb',
      );
      if (port === 1) {
        await run('sign', 'update.pb', '--digest', ...signer, '--mspid', 'Org1MSP', '-o', 'digest.bin');
        execFileSync('sh', ['-c', `(${command}) <digest.bin >signature.bin`], { cwd: directory });
        await run(
          'sign',
          'update.pb',
          '--signature',
          'signature.bin',
          ...signer,
          '--mspid',
          'Org1MSP',
          '-o',
          'signed.pb',
        );
      } else
        await run(
          'sign',
          'update.pb',
          '--sign-with',
          command,
          ...signer,
          '--block',
          channel,
          '-o',
          'signed.pb',
        );
      t.is(readEnvelope(readFileSync(join(directory, 'signed.pb'))).signatures.length, 1);
      t.regex(await run('submit', 'signed.pb'), /^the update is in block \d+, on 1 of 1 orderers$/m);
    }
    // Everything with the key of the device: reading the channel, signing and submitting.
    const device = ['--msp', certificate, '--mspid', 'Org1MSP', '--sign-with', command];
    const edit = ['anchor-peers', 'set', channel, 'Org1MSP', 'peer0.org1.example.com:99'];
    await run(...edit, '--sign', ...device, '-o', 'signed.pb');
    t.regex(await run('submit', 'signed.pb', ...device), /^the update is in block \d+, on 1 of 1 orderers$/m);
  });
