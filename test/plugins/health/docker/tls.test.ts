// The docker checker against stand-ins that speak TLS.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { Authority, type Leaf } from '../../../helpers/certificates.js';
import { engineOnPort, engineOverTls, ok, strictTls } from '../../../helpers/engine.js';
import { temporaryFolder } from '../../../helpers/folder.js';
import { createChecker, reasonFor } from './checker.js';

const PAST = ['20200101000000Z', '20210101000000Z'] as const;

/** An engine that wants client certificates, and everything to reach it. */
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
  folder: string;
  failed: string;
  authority: Authority;
}> {
  const folder = temporaryFolder(t);
  const authority = new Authority(folder, 'engine-ca');
  const server = authority.issue('engine', 'serverAuth', validity, names);
  const address = await engineOverTls(t, {
    ca: readFileSync(authority.cert),
    cert: readFileSync(server.cert),
    key: readFileSync(server.key),
    requestCert: true,
    ...(version !== undefined && { minVersion: version, maxVersion: version }),
  });
  const endpoint = `tcp://${address}`;
  const failed = `failed to connect to Docker daemon at ${endpoint}: `;
  return {
    endpoint,
    ca: authority.cert,
    client: authority.issue('agent', 'clientAuth'),
    folder,
    failed,
    authority,
  };
}

for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
  test(`an engine that verifies clients is healthy with a client certificate (${version})`, async (t) => {
    const { endpoint, ca, client } = await startEngine(t, { version });
    t.is(await reasonFor(t, { endpoint, ca, ...client }), undefined);
    t.is(await reasonFor(t, { endpoint: endpoint.replace('tcp:', 'https:'), ca, ...client }), undefined);
  });

  test(`an engine that refuses client certificates says so (${version})`, async (t) => {
    const folder = temporaryFolder(t);
    const authority = new Authority(folder, 'engine-ca');
    const ca = authority.cert;
    const endpoint = `tcp://${await strictTls(t, { ca, ...authority.issue('engine', 'serverAuth') }, version)}`;
    const foreign = new Authority(folder, 'other-ca').issue('agent', 'clientAuth');
    const expired = authority.issue('expired', 'clientAuth', PAST);
    const refused = `failed to connect to Docker daemon at ${endpoint}: it does not accept the client certificate`;
    t.is(await reasonFor(t, { endpoint, ca, ...foreign }), refused);
    t.is(await reasonFor(t, { endpoint, ca, ...expired }), refused);
  });
}

test('an engine that verifies clients wants a client certificate', async (t) => {
  const { endpoint, ca, failed } = await startEngine(t);
  t.is(await reasonFor(t, { endpoint, ca }), `${failed}it wants a client certificate`);
});

test('an engine that does not go into details about what it refuses', async (t) => {
  const { endpoint, ca, failed } = await startEngine(t, { version: 'TLSv1.2' });
  t.is(
    await reasonFor(t, { endpoint, ca }),
    `${failed}it refused to speak TLS with this client: handshake failure`,
  );
});

test('an engine whose certificate is from another authority', async (t) => {
  const { endpoint, client, folder, failed } = await startEngine(t);
  const other = new Authority(folder, 'other-ca').cert;
  t.is(
    await reasonFor(t, { endpoint, ca: other, ...client }),
    `${failed}its certificate is not from a trusted authority`,
  );
});

test('an engine whose certificate has expired', async (t) => {
  const { endpoint, ca, client, failed } = await startEngine(t, { validity: PAST });
  t.is(await reasonFor(t, { endpoint, ca, ...client }), `${failed}its certificate has expired`);
});

test('an engine whose certificate is for another host', async (t) => {
  const { endpoint, ca, client, failed } = await startEngine(t, { names: 'DNS:elsewhere' });
  t.is(await reasonFor(t, { endpoint, ca, ...client }), `${failed}its certificate is for another host`);
});

test('an engine that does not speak TLS is found out', async (t) => {
  const { ca, client } = await startEngine(t);
  const endpoint = `tcp://${await engineOnPort(t, ok)}`;
  t.is(
    await reasonFor(t, { endpoint, ca, ...client }),
    `failed to connect to Docker daemon at ${endpoint}: it does not speak TLS`,
  );
});

test('an engine that speaks TLS closes a plain connection', async (t) => {
  const { endpoint, failed } = await startEngine(t);
  t.is(await reasonFor(t, { endpoint }), `${failed}it closed the connection without an answer`);
});

test('a client certificate without its key, or a key without its certificate, keeps the agent from starting', async (t) => {
  const message = 'options.cert and options.key: both or none of them must be given';
  const endpoint = 'tcp://127.0.0.1:2376';
  await t.throwsAsync(createChecker(t, { endpoint, cert: '/c.pem' }), { message });
  await t.throwsAsync(createChecker(t, { endpoint, key: '/k.pem' }), { message });
});

test('a file that is missing keeps the checker from starting', async (t) => {
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
  test(`a file for ${option} that is no PEM keeps the checker from starting`, async (t) => {
    const { endpoint, ca, client } = await startEngine(t);
    const bad = join(temporaryFolder(t, { 'bad.pem': 'not a certificate\n' }), 'bad.pem');
    const good: Record<string, string> = { ca, ...client };
    const given = Object.fromEntries(files.map((file) => [file, file === option ? bad : good[file]]));
    await t.throwsAsync(createChecker(t, { endpoint, ...given }), {
      message: `options.${option}: ${bad} is not a PEM file that can be used`,
    });
  });
}

test('a key that is not that of the certificate keeps the checker from starting', async (t) => {
  const { endpoint, ca, client, authority } = await startEngine(t);
  const { key } = authority.issue('other', 'clientAuth');
  await t.throwsAsync(createChecker(t, { endpoint, ca, cert: client.cert, key }), {
    message: `options.key: ${key} is not the key of ${client.cert}`,
  });
});
