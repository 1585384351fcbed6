// Who may change something: readers and writers, by the names and the CAs of their certificates.

import { copyFileSync } from 'node:fs';
import test, { type ExecutionContext } from 'ava';
import { createAgent, defineSettings } from '../../../core/index.js';
import { startAgent } from '../../helpers/agent.js';
import { TestCa, type Leaf } from '../../helpers/certificates.js';
import { temporaryFolder } from '../../helpers/folder.js';
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
