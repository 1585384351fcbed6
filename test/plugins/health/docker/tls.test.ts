// The docker checker against stand-ins with TLS.

import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { TestCa, type Leaf } from '../../../helpers/certificates.js';
import { engineOnSocket, engineOverTls, ok, strictTls } from '../../../helpers/engine.js';
import { temporaryFolder } from '../../../helpers/folder.js';
import { createChecker, reasonFor } from './checker.js';

const PAST = ['20200101000000Z', '20210101000000Z'] as const;

/** Starts an engine that requires client certificates; the result has everything to connect to it. */
async function startEngine(
  t: ExecutionContext,
  {
    version,
    validity,
    names,
  }: { version?: 'TLSv1.2' | 'TLSv1.3'; validity?: readonly [string, string]; names?: string } = {},
): Promise<{
  endpoint: string;
  ca: string;
  client: Leaf;
  directory: string;
  failed: string;
  engineCa: TestCa;
}> {
  const directory = temporaryFolder(t);
  const engineCa = new TestCa(directory, 'engine-ca');
  const server = engineCa.issue('engine', 'serverAuth', validity, names);
  const address = await engineOverTls(t, {
    ca: readFileSync(engineCa.cert),
    cert: readFileSync(server.cert),
    key: readFileSync(server.key),
    requestCert: true,
    ...(version !== undefined && { minVersion: version, maxVersion: version }),
  });
  const endpoint = `tcp://${address}`;
  const failed = `failed to connect to Docker daemon at ${endpoint}: `;
  return {
    endpoint,
    ca: engineCa.cert,
    client: engineCa.issue('agent', 'clientAuth'),
    directory,
    failed,
    engineCa,
  };
}

for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
  test(`an engine that requires client certificates is healthy with one (${version})`, async (t) => {
    const { endpoint, ca, client } = await startEngine(t, { version });
    t.is(await reasonFor(t, { endpoint, ca, ...client }), undefined);
    t.is(await reasonFor(t, { endpoint: endpoint.replace('tcp:', 'https:'), ca, ...client }), undefined);
  });

  test(`a rejected client certificate (${version})`, async (t) => {
    const directory = temporaryFolder(t);
    const engineCa = new TestCa(directory, 'engine-ca');
    const ca = engineCa.cert;
    const endpoint = `tcp://${await strictTls(t, { ca, ...engineCa.issue('engine', 'serverAuth') }, version)}`;
    const foreign = new TestCa(directory, 'other-ca').issue('agent', 'clientAuth');
    const expired = engineCa.issue('expired', 'clientAuth', PAST);
    const rejected = `failed to connect to Docker daemon at ${endpoint}: it rejected the client certificate`;
    t.is(await reasonFor(t, { endpoint, ca, ...foreign }), rejected);
    t.is(await reasonFor(t, { endpoint, ca, ...expired }), rejected);
  });
}

test('a missing client certificate', async (t) => {
  const { endpoint, ca, failed } = await startEngine(t);
  t.is(await reasonFor(t, { endpoint, ca }), `${failed}it requires a client certificate`);
});

test('a handshake failure without details', async (t) => {
  const { endpoint, ca, failed } = await startEngine(t, { version: 'TLSv1.2' });
  t.is(await reasonFor(t, { endpoint, ca }), `${failed}the TLS handshake failed: handshake failure`);
});

test('an expired engine certificate', async (t) => {
  const { endpoint, ca, client, failed } = await startEngine(t, { validity: PAST });
  t.is(await reasonFor(t, { endpoint, ca, ...client }), `${failed}its certificate has expired`);
});

test('an engine certificate for another host', async (t) => {
  const { endpoint, ca, client, failed } = await startEngine(t, { names: 'DNS:elsewhere' });
  t.is(
    await reasonFor(t, { endpoint, ca, ...client }),
    `${failed}its certificate is not valid for this host name`,
  );
});

test('cert without key, or key without cert, fails init', async (t) => {
  const message = 'options.cert and options.key must be set together';
  const endpoint = 'tcp://127.0.0.1:2376';
  await t.throwsAsync(createChecker(t, { endpoint, cert: '/c.pem' }), { message });
  await t.throwsAsync(createChecker(t, { endpoint, key: '/k.pem' }), { message });
});

test('a missing file fails the start', async (t) => {
  const ca = join(temporaryFolder(t), 'none.pem');
  await t.throwsAsync(createChecker(t, { endpoint: 'tcp://127.0.0.1:2376', ca }), {
    message: `options.ca: ${ca} cannot be read: no such file`,
  });
});

for (const [option, files] of [
  ['ca', ['ca']],
  ['cert', ['cert', 'key']],
  ['key', ['cert', 'key']],
] as const) {
  test(`an invalid ${option} file fails the start`, async (t) => {
    const { endpoint, ca, client } = await startEngine(t);
    const bad = join(temporaryFolder(t, { 'bad.pem': 'not a certificate\n' }), 'bad.pem');
    const good: Record<string, string> = { ca, ...client };
    const given = Object.fromEntries(files.map((file) => [file, file === option ? bad : good[file]]));
    await t.throwsAsync(createChecker(t, { endpoint, ...given }), {
      message: `options.${option}: ${bad} contains no PEM ${option === 'key' ? 'private key' : 'certificate'}`,
    });
  });
}

test('a key that does not belong to the certificate fails the start', async (t) => {
  const { endpoint, ca, client, engineCa } = await startEngine(t);
  const { key } = engineCa.issue('other', 'clientAuth');
  await t.throwsAsync(createChecker(t, { endpoint, ca, cert: client.cert, key }), {
    message: `options.key: ${key} does not belong to options.cert: ${client.cert}`,
  });
});

test('a unix socket is used without TLS, with any TLS options', async (t) => {
  const { ca, client } = await startEngine(t);
  t.is(await reasonFor(t, { endpoint: await engineOnSocket(t, ok), ca, ...client }), undefined);
});

test('a renewed client certificate is used from the next check on; an unusable one is not', async (t) => {
  const { endpoint, ca, client, directory, failed, engineCa } = await startEngine(t);
  const live = { cert: join(directory, 'live.pem'), key: join(directory, 'live.key') };
  const install = ({ cert, key }: Leaf): void => {
    copyFileSync(cert, live.cert);
    copyFileSync(key, live.key);
  };
  install(new TestCa(directory, 'other-ca').issue('agent', 'clientAuth'));
  const checker = await createChecker(t, { endpoint, ca, ...live });
  const check = async (): Promise<void> => checker.check(new AbortController().signal);
  await t.throwsAsync(check(), { message: new RegExp(`^${failed}`) });
  install(client);
  await t.notThrowsAsync(check());
  writeFileSync(live.cert, 'not a certificate');
  await t.notThrowsAsync(check());
  install(engineCa.issue('renewed', 'clientAuth'));
  await t.notThrowsAsync(check());
});
