// Who may change something: readers and writers, by the names and the CAs of their certificates.

import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { createAgent, defineSettings } from '../../../core/index.js';
import { startAgent } from '../../helpers/agent.js';
import { TestCa, type Leaf } from '../../helpers/certificates.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { makeCertificate, type Made, type Wanted } from '../../helpers/made-certificates.js';
import { QUIET } from '../../helpers/quiet-backend.js';
import { clientOptions, sendTlsRequest, type TlsResponse } from '../../helpers/tls-client.js';

type Values = Readonly<Record<string, unknown>>;

/** A client CA, a second one for readers, and the settings of a server. */
function makeFiles(t: ExecutionContext) {
  const directory = temporaryFolder(t);
  const ca = new TestCa(directory, 'ca');
  const readersCa = new TestCa(directory, 'readers-ca');
  const server = ca.issue('agent', 'serverAuth');
  const alice = ca.issue('alice', 'clientAuth');
  const bob = ca.issue('bob', 'clientAuth', undefined, 'DNS:bob.example.com,URI:spiffe://example.com/bob');
  const carol = readersCa.issue('carol', 'clientAuth');
  const settings = {
    'operations.tls.enabled': true,
    'operations.tls.cert.file': server.cert,
    'operations.tls.key.file': server.key,
    'operations.tls.clientRootCAs.files': [ca.cert],
    plugins: QUIET,
  };
  return { directory, ca, readersCa, alice, bob, carol, settings };
}

const READER = (name: string, why: string, method: string, needed: string): string =>
  `{"error":"the certificate ${name} has the role of a reader, because ${why}: it may send GET and HEAD; ${method} needs a certificate ${needed}"}\n`;
const LISTED = 'operations.tls.readers has it';
const UNLISTED = 'operations.tls.writers does not have it';
const IN_WRITERS = 'in operations.tls.writers';
const NOT_IN_READERS = 'that is not in operations.tls.readers';

for (const { roles, refused } of [
  { roles: {}, refused: {} },
  { roles: { readers: ['bob'] }, refused: { bob: [LISTED, NOT_IN_READERS] } },
  { roles: { readers: ['bob.example.com'] }, refused: { bob: [LISTED, NOT_IN_READERS] } },
  { roles: { readers: ['spiffe://example.com/bob'] }, refused: { bob: [LISTED, NOT_IN_READERS] } },
  { roles: { readers: ['example.com', 'CN=bob', 'BOB'] }, refused: {} },
  { roles: { writers: ['alice'] }, refused: { bob: [UNLISTED, IN_WRITERS] } },
  { roles: { readers: ['bob'], writers: ['alice'] }, refused: { bob: [LISTED, IN_WRITERS] } },
  // In both by two of its names.
  {
    roles: { readers: ['bob'], writers: ['alice', 'bob.example.com'] },
    refused: { bob: [LISTED, IN_WRITERS] },
  },
] as readonly { roles: Values; refused: Readonly<Record<string, readonly [string, string]>> }[])
  test(`with ${JSON.stringify(roles)} ${Object.keys(refused).join(', ') || 'nobody'} may not change anything`, async (t) => {
    const { ca, alice, bob, settings } = makeFiles(t);
    const listed = Object.entries(roles).map(([role, names]) => [`operations.tls.${role}`, names]);
    const { port } = await startAgent(t, { ...settings, ...Object.fromEntries(listed) });
    for (const [name, leaf] of Object.entries({ alice, bob })) {
      const send = (method: string, path: string, requestBody?: string): Promise<TlsResponse> =>
        sendTlsRequest(port, path, { ...clientOptions(ca.cert, leaf), method, requestBody });
      t.is((await send('GET', '/status')).status, 200, name);
      const responses = {
        PUT: await send('PUT', '/logspec', '{"spec":"fatal"}'),
        DELETE: await send('DELETE', '/silences/x'),
      };
      const why = refused[name];
      if (why === undefined) t.deepEqual([responses.PUT.status, responses.DELETE.status], [204, 404]);
      else
        for (const [method, { status, body }] of Object.entries(responses))
          t.deepEqual([status, body], [403, READER(`O=Test,CN=${name}`, why[0], method, why[1])]);
    }
  });

for (const role of ['readers', 'writers'])
  test(`a CA in operations.tls.${role} need not be a client root CA, and its certificates have the role`, async (t) => {
    const { ca, readersCa, alice, carol, settings } = makeFiles(t);
    const { port } = await startAgent(t, { ...settings, [`operations.tls.${role}`]: [readersCa.cert] });
    const put = async (leaf: Leaf): Promise<number> => {
      const options = { ...clientOptions(ca.cert, leaf), method: 'PUT', requestBody: '{"spec":"fatal"}' };
      return (await sendTlsRequest(port, '/logspec', options)).status;
    };
    t.deepEqual([await put(alice), await put(carol)], role === 'readers' ? [204, 403] : [403, 204]);
    t.is((await sendTlsRequest(port, '/status', clientOptions(ca.cert, carol))).status, 200);
  });

/** Writes a certificate and its key, and the certificates of its chain after it. */
function writeLeaf(directory: string, name: string, made: Made, ...chain: readonly Made[]): Leaf {
  const leaf = { cert: join(directory, `${name}.pem`), key: join(directory, `${name}.key`) };
  writeFileSync(leaf.cert, Buffer.concat([made.pem, ...chain.map(({ pem }) => pem)]));
  writeFileSync(leaf.key, made.key.export({ type: 'pkcs8', format: 'pem' }));
  return leaf;
}

/** CAs of readers and of writers, an intermediate CA of each, and a function that starts a server and changes the level with a certificate. */
function makeHierarchy(t: ExecutionContext) {
  const { directory, ca, alice, settings } = makeFiles(t);
  const caNamed = (commonName: string, more: Partial<Wanted> = {}): Made =>
    makeCertificate({ organization: 'Test', commonName, ...more });
  const [readers, writers] = [caNamed('readers'), caNamed('writers')];
  const fileOf = (name: string, ...made: readonly Made[]): string => {
    const file = join(directory, `${name}.pem`);
    writeFileSync(file, Buffer.concat(made.map(({ pem }) => pem)));
    return file;
  };
  const clientOf = (issuer: Made): Made => caNamed('client', { issuer, usage: 'clientAuth' });
  const put = async (roles: Values, leaf: Leaf): Promise<TlsResponse> => {
    const { port } = await startAgent(t, { ...settings, ...roles });
    const options = { ...clientOptions(ca.cert, leaf), method: 'PUT', requestBody: '{"spec":"fatal"}' };
    return sendTlsRequest(port, '/logspec', options);
  };
  return { directory, ca, alice, readers, writers, caNamed, fileOf, clientOf, put };
}

for (const [what, roles, forgedBy] of [
  ['a self-made copy of its CA', ['readers'], 'itself'],
  ['a self-made copy of its CA', ['readers', 'writers'], 'itself'],
  [
    'a self-made copy of its CA, issued by the CA of writers',
    ['readers', 'writers'],
    'a copy of the CA of writers',
  ],
  ['a self-made copy of its CA, issued by the CA of writers', ['writers'], 'a copy of the CA of writers'],
] as const)
  test(`a certificate of a CA of readers stays a reader if the client sends ${what}, with ${roles.join(' and ')}`, async (t) => {
    const { directory, ca, readers, writers, caNamed, fileOf, clientOf, put } = makeHierarchy(t);
    const copyOfWriters = caNamed('writers');
    const forged = caNamed('readers', forgedBy === 'itself' ? {} : { issuer: copyOfWriters, isCa: true });
    const leaf = writeLeaf(directory, 'client', clientOf(readers), forged, writers);
    const files = { readers: fileOf('readers', readers), writers: fileOf('writers', writers) };
    const listed = roles.map((role) => [`operations.tls.${role}`, [files[role]]]);
    const { status } = await put(
      {
        ...Object.fromEntries(listed),
        'operations.tls.clientRootCAs.files': [ca.cert, files.readers, files.writers],
      },
      leaf,
    );
    t.is(status, 403);
  });

test('a certificate of an intermediate CA that only the client sends is a reader when readers have a CA', async (t) => {
  const { directory, readers, caNamed, fileOf, clientOf, put } = makeHierarchy(t);
  const intermediate = caNamed('intermediate', { issuer: readers, isCa: true });
  const leaf = writeLeaf(directory, 'client', clientOf(intermediate), intermediate);
  const file = fileOf('readers', readers);
  const { status, body } = await put({ 'operations.tls.readers': [file] }, leaf);
  const why = 'its issuer O=Test,CN=intermediate is not in operations.tls.clientRootCAs.files';
  t.deepEqual([status, body], [403, READER('O=Test,CN=client', why, 'PUT', NOT_IN_READERS)]);
});

test('a certificate of an intermediate CA that only the client sends is not a writer by the CA above it', async (t) => {
  const { directory, writers, caNamed, fileOf, clientOf, put } = makeHierarchy(t);
  const intermediate = caNamed('intermediate', { issuer: writers, isCa: true });
  const leaf = writeLeaf(directory, 'client', clientOf(intermediate), intermediate);
  const listed = { 'operations.tls.writers': [fileOf('writers', writers)] };
  t.is((await put(listed, leaf)).status, 403);
});

for (const [role, expected] of [
  ['readers', 403],
  ['writers', 204],
] as const)
  test(`a certificate has the role of the CA in operations.tls.${role} above its intermediate CA in clientRootCAs.files`, async (t) => {
    const { directory, ca, caNamed, fileOf, clientOf, put } = makeHierarchy(t);
    const root = caNamed('root');
    const intermediate = caNamed('intermediate', { issuer: root, isCa: true });
    const leaf = writeLeaf(directory, 'client', clientOf(intermediate));
    const files = {
      [`operations.tls.${role}`]: [fileOf('root', root)],
      'operations.tls.clientRootCAs.files': [ca.cert, fileOf('intermediate', intermediate)],
    };
    t.is((await put(files, leaf)).status, expected);
  });

for (const [role, expected] of [
  ['readers', 403],
  ['writers', 204],
] as const)
  test(`a renewed CA with the key of a CA in operations.tls.${role} has its role`, async (t) => {
    const { directory, ca, caNamed, fileOf, clientOf, put } = makeHierarchy(t);
    const old = caNamed('old');
    const renewed = caNamed('renewed', { key: old.key });
    const leaf = writeLeaf(directory, 'client', clientOf(renewed));
    const files = {
      [`operations.tls.${role}`]: [fileOf('old', old)],
      'operations.tls.clientRootCAs.files': [ca.cert, fileOf('renewed', renewed)],
    };
    t.is((await put(files, leaf)).status, expected);
  });

test('with a name and a CA in operations.tls.writers only those may change something', async (t) => {
  const { ca, readersCa, alice, bob, carol, settings } = makeFiles(t);
  const { port } = await startAgent(t, { ...settings, 'operations.tls.writers': ['alice', readersCa.cert] });
  const put = async (leaf: Leaf): Promise<number> => {
    const options = { ...clientOptions(ca.cert, leaf), method: 'PUT', requestBody: '{"spec":"fatal"}' };
    return (await sendTlsRequest(port, '/logspec', options)).status;
  };
  t.deepEqual([await put(alice), await put(carol), await put(bob)], [204, 204, 403]);
});

test('without a certificate a change is 401 also with roles', async (t) => {
  const { ca, settings } = makeFiles(t);
  const { port } = await startAgent(t, { ...settings, 'operations.tls.writers': ['alice'] });
  const options = { ...clientOptions(ca.cert), method: 'PUT', requestBody: '{"spec":"fatal"}' };
  t.is((await sendTlsRequest(port, '/logspec', options)).status, 401);
  t.is((await sendTlsRequest(port, '/healthz', options)).status, 405);
});

test('a renewed CA and the CA with the same key in the other list are refused at the start', async (t) => {
  const { caNamed, fileOf, put, alice } = makeHierarchy(t);
  const old = caNamed('old');
  const [readers, writers] = [fileOf('old', old), fileOf('renewed', caNamed('renewed', { key: old.key }))];
  await t.throwsAsync(
    put({ 'operations.tls.readers': [readers], 'operations.tls.writers': [writers] }, alice),
    {
      code: 'TLS_INVALID',
      message: /^the CA O=Test,CN=old is in operations\.tls\.readers /,
    },
  );
});

test('a change with a certificate that is not trusted is refused without its name', async (t) => {
  const { directory, ca, settings } = makeFiles(t);
  const other = new TestCa(directory, 'other-ca').issue('alice', 'clientAuth');
  const { port } = await startAgent(t, { ...settings, 'operations.tls.writers': ['carol'] });
  const options = { ...clientOptions(ca.cert, other), method: 'PUT', requestBody: '{"spec":"fatal"}' };
  t.is((await sendTlsRequest(port, '/logspec', options)).status, 401);
  t.is((await sendTlsRequest(port, '/healthz', options)).status, 405);
});

test('a CA that is in both lists, in two files, is refused at the start', async (t) => {
  const { directory, readersCa, settings } = makeFiles(t);
  const copy = `${directory}/copy.pem`;
  copyFileSync(readersCa.cert, copy);
  const values = {
    ...settings,
    'operations.tls.readers': [readersCa.cert],
    'operations.tls.writers': [copy],
  };
  await t.throwsAsync(createAgent(defineSettings(values, directory)), {
    code: 'TLS_INVALID',
    message: `the CA O=Test,CN=readers-ca is in operations.tls.readers (${readersCa.cert}) and in operations.tls.writers (${copy}); a certificate has one role`,
  });
});
