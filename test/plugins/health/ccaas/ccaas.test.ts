import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { FailedChecks } from '../../../../core/contract/index.js';
import ccaas from '../../../../plugins/health/ccaas/index.js';
import { makeCertificates } from '../../../helpers/certificate-set.js';
import { startChecker } from '../../../helpers/checker.js';
import { strictTls } from '../../../helpers/engine.js';
import { temporaryFolder } from '../../../helpers/folder.js';
import { freePort } from '../../../helpers/free-port.js';
import { grpcServer, tcpServer } from '../../../helpers/grpc-server.js';
import { until } from '../../../helpers/until.js';
import { PATIENCE } from '../../../helpers/patience.js';

const { ca, foreignCa, server: leaf, clients } = makeCertificates();
const trusted = clients['trusted'] ?? leaf;
const read = (file: string): string => readFileSync(file, 'utf8');
const ignore = (): void => undefined;

/** Writes the connection.json of a package; returns its path. */
function writeConnection(builds: string, name: string, content: unknown): string {
  const directory = join(builds, name, 'release/chaincode/server');
  mkdirSync(directory, { recursive: true });
  const file = join(directory, 'connection.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

/** An unprivileged user, which need not exist. */
const OTHER = 65_534;

/** Root may read every file, so a test that root runs continues as another user. */
function withoutPrivileges(t: ExecutionContext): void {
  if (process.getuid?.() !== 0) return;
  process.seteuid?.(OTHER);
  t.teardown(() => process.seteuid?.(0));
}

/** The reasons of one check by the name of the package. */
async function check(
  t: ExecutionContext,
  paths: readonly string[],
  timeout = 30_000,
): Promise<Readonly<Record<string, string>>> {
  return (await startChecker(t, ccaas, { paths, timeout })).check();
}

/** The reason of one check of one package; undefined: healthy. */
async function reasonFor(
  t: ExecutionContext,
  content: unknown,
  timeout?: number,
): Promise<string | undefined> {
  const builds = temporaryFolder(t);
  writeConnection(builds, 'cc', content);
  return (await check(t, [builds], timeout))['cc'];
}

test('packages without a connection.json, plain files and an empty directory are healthy', async (t) => {
  const builds = temporaryFolder(t);
  t.deepEqual(await check(t, [builds]), {});
  mkdirSync(join(builds, 'other/bld'), { recursive: true });
  writeFileSync(join(builds, 'other/bld/connection.json'), 'not the one that the peer reads');
  writeFileSync(join(builds, 'file'), '');
  t.deepEqual(await check(t, [builds]), {});
});

test('each chaincode that is not reachable is a part with the name of its package', async (t) => {
  const builds = temporaryFolder(t);
  const { address, sessions } = await grpcServer(t, ignore);
  const closed = await freePort();
  writeConnection(builds, 'basic-0a1b', { address: `127.0.0.1:${address.port}`, dial_timeout: '10s' });
  writeConnection(builds, 'stopped-2c3d', { address: `127.0.0.1:${closed}`, tls_required: false });
  t.deepEqual(await check(t, [builds]), {
    'stopped-2c3d': `failed to connect to chaincode at 127.0.0.1:${closed}: connection refused`,
  });
  await until(() => sessions() === 0);
});

test('files are read again at every check', async (t) => {
  const builds = temporaryFolder(t);
  const { address } = await grpcServer(t, ignore);
  const { check: again } = await startChecker(t, ccaas, { paths: [builds], timeout: PATIENCE });
  t.deepEqual(await again(), {});
  writeConnection(builds, 'cc', '{}');
  t.deepEqual(await again(), { cc: 'connection.json: address is missing' });
  writeConnection(builds, 'cc', { Address: `127.0.0.1:${address.port}` });
  t.deepEqual(await again(), {});
});

const TLS = { address: 'cc:9999', tls_required: true };
const CLIENT = { ...TLS, root_cert: read(ca.cert), client_auth_required: true };
const INVALID: readonly (readonly [what: string, content: unknown, reason: string])[] = [
  ['an empty file', '', 'connection.json is not valid JSON'],
  ['a key that is not JSON', read(leaf.key), 'connection.json is not valid JSON'],
  ['null', 'null', 'connection.json is not a JSON object'],
  ['a list', '[]', 'connection.json is not a JSON object'],
  ['no address', {}, 'connection.json: address is missing'],
  ['a number as address', { address: 7 }, 'connection.json: address must be a string'],
  ['no port', { address: 'cc' }, 'connection.json: address must be host:port, found cc'],
  ['the port 0', { address: 'cc:0' }, 'connection.json: address must be host:port, found cc:0'],
  ['the port 65536', { address: 'cc:65536' }, 'connection.json: address must be host:port, found cc:65536'],
  ['two lines', { address: 'cc\n:1' }, String.raw`connection.json: address must be host:port, found cc\n:1`],
  [
    'tls_required as text',
    { address: 'cc:1', tls_required: 'true' },
    'connection.json: tls_required must be true or false',
  ],
  ['no root_cert', TLS, 'connection.json: root_cert is missing, and tls_required is true'],
  [
    'a key as root_cert',
    { ...TLS, root_cert: read(leaf.key) },
    'connection.json: root_cert is not a PEM certificate',
  ],
  ['no client_key', CLIENT, 'connection.json: client_key is missing, and client_auth_required is true'],
  [
    'no client_cert',
    { ...CLIENT, client_key: read(trusted.key) },
    'connection.json: client_cert is missing, and client_auth_required is true',
  ],
  [
    'a certificate as client_key',
    { ...CLIENT, client_key: read(trusted.cert), client_cert: read(trusted.cert) },
    'connection.json: client_key is not a PEM private key without a passphrase',
  ],
  [
    'another client_key',
    { ...CLIENT, client_key: read(leaf.key), client_cert: read(trusted.cert) },
    'connection.json: client_key does not belong to client_cert',
  ],
  ['65,537 bytes', ' '.repeat(65_537), 'connection.json: it is larger than 65536 bytes'],
];
for (const [what, content, reason] of INVALID) {
  test(`a connection.json with ${what}: ${reason}`, async (t) => {
    t.is(await reasonFor(t, content), reason);
  });
}

const strict = {
  ca: readFileSync(ca.cert),
  cert: readFileSync(leaf.cert),
  key: readFileSync(leaf.key),
  requestCert: true,
};
const withClient = (client: typeof leaf): object => ({
  client_auth_required: true,
  client_cert: read(client.cert),
  client_key: read(client.key),
});
const HANDSHAKES: readonly (readonly [what: string, members: object, reason: string | undefined])[] = [
  ['a client certificate', withClient(trusted), undefined],
  [
    'a client certificate that is not used',
    { ...withClient(trusted), client_auth_required: false },
    'it requires a client certificate',
  ],
  ['another root_cert', { root_cert: read(foreignCa.cert) }, 'its certificate is not signed by a trusted CA'],
];
for (const [what, members, reason] of HANDSHAKES) {
  test(`TLS with ${what}: ${reason ?? 'healthy'}`, async (t) => {
    const { address } = await grpcServer(t, ignore, strict);
    const found = await reasonFor(t, {
      address: `127.0.0.1:${address.port}`,
      tls_required: true,
      root_cert: read(ca.cert),
      ...members,
    });
    const prefix = `failed to connect to chaincode at 127.0.0.1:${address.port}: `;
    t.is(found, reason && prefix + reason);
  });
}

test('the reason says that the chaincode server rejected the client certificate', async (t) => {
  const address = await strictTls(t, { ca: ca.cert, cert: leaf.cert, key: leaf.key }, 'TLSv1.3');
  t.is(
    await reasonFor(t, {
      address,
      tls_required: true,
      root_cert: read(ca.cert),
      ...withClient(clients['foreign'] ?? leaf),
    }),
    `failed to connect to chaincode at ${address}: it rejected the client certificate`,
  );
});

test('a chaincode with TLS and a connection.json without it', async (t) => {
  const { address } = await grpcServer(t, ignore, { ...strict, requestCert: false });
  t.is(
    await reasonFor(t, { address: `127.0.0.1:${address.port}` }),
    `failed to connect to chaincode at 127.0.0.1:${address.port}: the connection was closed without a response`,
  );
});

test('a port that accepts connections and sends nothing is not a chaincode', async (t) => {
  const { address, connections } = await tcpServer(t, ignore);
  t.is(
    await reasonFor(t, { address: `127.0.0.1:${address.port}` }, 200),
    `failed to connect to chaincode at 127.0.0.1:${address.port}: the connection took longer than 0.2s`,
  );
  await until(() => connections() === 0);
});

test('there are at most 8 connections at a time, and all end when the check is aborted', async (t) => {
  const builds = temporaryFolder(t);
  const { address, connections } = await tcpServer(t, ignore);
  for (let index = 0; index < 20; index += 1)
    writeConnection(builds, `cc-${index}`, { address: `127.0.0.1:${address.port}` });
  const { checker } = await startChecker(t, ccaas, { paths: [builds], timeout: PATIENCE });
  const abort = new AbortController();
  const checked = Promise.resolve(checker.check(abort.signal));
  await until(() => connections() === 8);
  abort.abort(new Error('the agent stops'));
  await t.throwsAsync(checked, { message: 'the agent stops' });
  await until(() => connections() === 0);
});

test('a missing directory is healthy, a file as directory and loops of symbolic links fail', async (t) => {
  const builds = temporaryFolder(t, { file: '' });
  symlinkSync('.', join(builds, 'release'));
  symlinkSync('loop', join(builds, 'loop'));
  mkdirSync(join(builds, 'cc/release/chaincode/server'), { recursive: true });
  symlinkSync('connection.json', join(builds, 'cc/release/chaincode/server/connection.json'));
  const file = join(builds, 'file');
  t.deepEqual(await check(t, [builds, join(builds, 'missing'), file]), {
    cc: 'connection.json: a loop of symbolic links',
    loop: 'connection.json: a loop of symbolic links',
    file: `it is not a directory (${file})`,
  });
});

// Serial, because the tests change the user of the process.
test.serial('a connection.json and a directory that the agent may not read are warnings', async (t) => {
  const [builds, secret] = [temporaryFolder(t), temporaryFolder(t)];
  chmodSync(writeConnection(builds, 'cc', '{}'), 0);
  for (const directory of ['', 'cc', 'cc/release', 'cc/release/chaincode', 'cc/release/chaincode/server'])
    chmodSync(join(builds, directory), 0o755);
  chmodSync(secret, 0);
  withoutPrivileges(t);
  const advice =
    'run the agent as the user of the peer, or switch this check off with node.checks: {ccaas: false}';
  const { checker } = await startChecker(t, ccaas, { paths: [builds, secret], timeout: 30_000 });
  const thrown = await t.throwsAsync(async () => checker.check(new AbortController().signal));
  t.deepEqual(
    (thrown as FailedChecks).parts.toSorted((a, b) => a.reason.localeCompare(b.reason)),
    [
      {
        component: basename(secret),
        reason: `cannot be checked: permission denied; ${advice} (${secret})`,
        severity: 'warning',
      },
      {
        component: 'cc',
        reason: `connection.json: cannot be checked: permission denied; ${advice}`,
        severity: 'warning',
      },
    ],
  );
});

test('of 10,001 packages 10,000 are examined, and of 1,001 files 1,000 are read', async (t) => {
  const builds = temporaryFolder(t);
  for (let index = 0; index < 10_000; index += 1) mkdirSync(join(builds, `cc-${index}`));
  t.deepEqual(await check(t, [builds]), {});
  mkdirSync(join(builds, 'cc-10000'));
  t.deepEqual(await check(t, [builds]), {
    [basename(builds)]: 'there are more than 10000 packages; the others are not checked',
  });
  const others = temporaryFolder(t);
  for (let index = 0; index < 1_000; index += 1) writeConnection(others, `cc-${index}`, '{}');
  const complete = Object.keys(await check(t, [others]));
  t.is(complete.length, 1_000);
  t.deepEqual(complete, complete.toSorted(), 'in the order of their names');
  writeConnection(others, 'cc-1000', '{}');
  const failed = await check(t, [others]);
  t.is(Object.keys(failed).length, 1_001);
  t.is(
    failed[basename(others)],
    'there are more than 1000 connection.json files; the others are not checked',
  );
});

test('without a path the agent does not start', async (t) => {
  const message = 'options.paths must name at least one directory';
  await t.throwsAsync(check(t, []), { message });
});
