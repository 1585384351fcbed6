// config check as a user who may not read a file of the node. Root may read every file, so it gives up this right first.

import { execFile } from 'node:child_process';
import { chmodSync, chownSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { makeCertificates } from '../../helpers/certificate-set.js';
import { temporaryFolder } from '../../helpers/folder.js';

const MAIN = fileURLToPath(new URL('../../../core/main.js', import.meta.url));
const OWNER = 4711;
const isRoot = process.getuid?.() === 0;
const RIGHTS = '--bounding-set=-dac_override,-dac_read_search';
const [PROGRAM, ARGUMENTS] = isRoot
  ? ['setpriv', [RIGHTS, process.execPath, MAIN]]
  : [process.execPath, [MAIN]];

const { ca, foreignCa, server } = makeCertificates();
const operations = ca.issue('operations', undefined);
const own = ca.issue('own', undefined);
const foreign = foreignCa.issue('foreign', undefined);
for (const { key } of [server, operations]) {
  if (isRoot) chownSync(key, OWNER, OWNER);
  chmodSync(key, isRoot ? 0o600 : 0);
}

/** The lines of `config check` beside an orderer with TLS whose keys this user may not read. */
async function configCheck(t: ExecutionContext, ...given: readonly string[]): Promise<readonly string[]> {
  const flags = given.filter((flag) => flag !== 'msp');
  const msp = given.length > flags.length ? server.key : '.';
  const directory = temporaryFolder(t, {
    'signcerts/none': '',
    'orderer.yaml': `
General: { LocalMSPDir: ${msp} }
Operations:
  ListenAddress: 127.0.0.1:9441
  TLS: { Enabled: true, Certificate: ${operations.cert}, PrivateKey: ${operations.key}, ClientRootCAs: [${ca.cert}] }
Metrics: { Provider: prometheus }
ChannelParticipation: { Enabled: true }
Admin:
  ListenAddress: 127.0.0.1:9442
  TLS: { Enabled: true, Certificate: ${server.cert}, PrivateKey: ${server.key}, RootCAs: [${ca.cert}], ClientRootCAs: [${ca.cert}] }
`,
  });
  const set = ['node.insecureRelay=true', ...flags].flatMap((flag) => ['--set', flag]);
  const args = ['config', 'check', '--node', join(directory, 'orderer.yaml'), ...set];
  return new Promise((resolve, reject) => {
    execFile(PROGRAM, [...ARGUMENTS, ...args], (error, stdout, stderr) => {
      if (error !== null && error.code !== 1) return reject(new Error(stderr));
      resolve(
        `${stdout}${stderr}`
          .replaceAll(/^\/.*\/orderer\.yaml/gm, 'orderer.yaml')
          .replaceAll(/\(mode .* owner is [\w ]+:/g, '…:')
          .split('\n')
          .filter((line) => line !== ''),
      );
    });
  });
}

const ACCESS = '…: run the agent as that user, let its group or an ACL read it, or';
const ERROR = 'fabric-ops-agent: error: plugin';

test('config check names each key that this user may not read once, and what to do', async (t) => {
  t.deepEqual(await configCheck(t), [
    `${ERROR} orderer: options.key: ${operations.key} ${ACCESS} set node.cert and node.key to files of the agent`,
    `${ERROR} orderer/participation: options.key: ${server.key} ${ACCESS} set node.cert and node.key to files of the agent`,
  ]);
});

test('config check finds nothing when the agent has its own client certificate', async (t) => {
  const lines = await configCheck(t, `node.cert=${own.cert}`, `node.key=${own.key}`);
  t.deepEqual(lines, ['orderer.yaml: no problem found']);
});

test('config check says how to switch off a check of files that this user may not read', async (t) => {
  const lines = await configCheck(
    t,
    `node.cert=${own.cert}`,
    `node.key=${own.key}`,
    `node.ca=${operations.key}`,
  );
  t.is(
    lines[0],
    `${ERROR} orderer: options.ca: ${operations.key} …: run the agent as that user or let its group or an ACL read it`,
  );
  const [msp] = await configCheck(t, `node.cert=${own.cert}`, `node.key=${own.key}`, 'msp');
  t.is(
    msp,
    `${ERROR} orderer/certificates: options.paths: ${server.key} ${ACCESS} set node.checks to {certificates: false}`,
  );
});

test('config check says which CA must issue the own certificate for the Admin endpoint', async (t) => {
  const [, participation] = await configCheck(t, `node.cert=${foreign.cert}`, `node.key=${foreign.key}`);
  t.is(
    participation,
    `${ERROR} orderer/participation: options.key: ${server.key} ${ACCESS} let a CA of Admin.TLS.ClientRootCAs issue node.cert`,
  );
});

(isRoot ? test : test.skip)('config check works for a user who has no name', async (t) => {
  const directory = temporaryFolder(t, {
    'agent.yaml': `plugins: [{ plugin: certificates, options: { paths: [secret.pem] } }]\n`,
    'secret.pem': '',
  });
  chmodSync(directory, 0o755);
  chmodSync(join(directory, 'secret.pem'), 0o600);
  const args = [
    '--reuid=4712',
    '--clear-groups',
    process.execPath,
    MAIN,
    'config',
    'check',
    '--config',
    join(directory, 'agent.yaml'),
  ];
  const text = await new Promise<string>((resolve) => {
    execFile('setpriv', args, (_error, _stdout, stderr) => resolve(stderr));
  });
  t.is(
    text,
    `${ERROR} certificates: options.paths: ${join(directory, 'secret.pem')} (mode 600) cannot be read by this user, who has no name; its owner is root: run the agent as that user or let its group or an ACL read it\n`,
  );
});
