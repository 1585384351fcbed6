// The TLS of clients: which server certificates are trusted, and the files that options name.

import { once } from 'node:events';
import { appendFileSync, copyFileSync, readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { parseHostPort } from '../../../core/common/text/host-port.js';
import { HttpClient, RequestError } from '../../../core/kit/http-client.js';
import {
  checkClientCertificate,
  readTls,
  readTlsFiles,
  ReloadingTls,
  tlsFilesOf,
  type TlsSettings,
} from '../../../core/kit/tls.js';
import { TestCa, type Leaf } from '../../helpers/certificates.js';
import { engineOverTls, ok, strictTls } from '../../helpers/engine.js';
import { temporaryFolder } from '../../helpers/folder.js';

const LOG = { info: () => undefined, warn: () => undefined };
const never = (): AbortSignal => new AbortController().signal;

/** A CA and certificates: of the address of the server, of another host, and of a client. */
function issue(t: ExecutionContext) {
  const folder = temporaryFolder(t);
  const ca = new TestCa(folder, 'ca');
  const server = ca.issue('server', 'serverAuth');
  const foreign = ca.issue('foreign', 'serverAuth', undefined, 'DNS:peer0.example.com');
  return { folder, ca, server, foreign, client: ca.issue('client', 'clientAuth') };
}

/** The status of a response of a server with a certificate, or the reason why there is none. */
async function request(t: ExecutionContext, { cert, key }: Leaf, tls: TlsSettings): Promise<number | string> {
  const address = await engineOverTls(t, { cert: readFileSync(cert), key: readFileSync(key) }, ok);
  const client = new HttpClient({ address: parseHostPort(address), tls: true, ...tls }, LOG);
  client.open();
  t.teardown(() => client.close());
  try {
    return (await client.send({ path: '/', signal: never() })).status;
  } catch (error) {
    return (error as RequestError).reason;
  }
}

test('with a CA a server needs a certificate of the CA for its host name', async (t) => {
  const { ca, server, foreign } = issue(t);
  t.is(await request(t, server, { ca: ca.cert }), 200);
  t.is(await request(t, server, {}), 'its certificate is not signed by a trusted CA');
  t.is(await request(t, foreign, { ca: ca.cert }), 'its certificate is not valid for this host name');
  t.is(await request(t, foreign, { ca: ca.cert, serverName: 'peer0.example.com' }), 200);
});

test('without a CA exactly the given server certificate is trusted, for any host name', async (t) => {
  const { ca, server, foreign } = issue(t);
  t.is(await request(t, foreign, { certificate: foreign.cert }), 200);
  t.is(await request(t, foreign, { certificate: server.cert }), 'its certificate is not the configured one');
  // Its signature is that of the given certificate, but it is another one.
  t.is(await request(t, server, { certificate: ca.cert }), 'its certificate is not the configured one');
  t.is(
    await request(t, foreign, { certificate: foreign.cert, ca: ca.cert }),
    'its certificate is not valid for this host name',
  );
});

for (const [files, paths] of [
  [{ tls: true, ca: '/ca', certificate: '/s', cert: '/c', key: '/k' }, ['/ca', '/s', '/c', '/k']],
  [{ tls: true, ca: '/ca' }, ['/ca', '', '', '']],
  [{ tls: false, ca: '/ca' }, []],
  [{ ca: '/ca' }, []],
] as const)
  test(`the files that ${JSON.stringify(files)} reads are ${JSON.stringify(paths)}`, (t) => {
    t.deepEqual(tlsFilesOf(files), paths);
  });

test('without TLS no file is read', (t) => {
  t.is(readTls({ ca: '/no/such/file' }), undefined);
  t.is(readTls({ tls: false, cert: '/no/such/file' }), undefined);
});

test('of the files those that are set are read, and the key with its certificate', (t) => {
  const { ca, client } = issue(t);
  const text = (file: string): string => readFileSync(file, 'utf8');
  t.deepEqual(readTlsFiles({}), {});
  t.deepEqual(readTlsFiles({ ca: ca.cert }), { ca: text(ca.cert) });
  t.deepEqual(readTlsFiles(client), { cert: text(client.cert), key: text(client.key) });
  t.deepEqual(readTlsFiles({ ...client, ca: ca.cert }), {
    ca: text(ca.cert),
    cert: text(client.cert),
    key: text(client.key),
  });
});

/** A server with TLS whose certificate can be replaced, as by a restart. */
async function renewable(t: ExecutionContext, first: Leaf) {
  const files = ({ cert, key }: Leaf) => ({ cert: readFileSync(cert), key: readFileSync(key) });
  const server = createServer(files(first), ok);
  server.on('tlsClientError', () => undefined);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    restartWith: (leaf: Leaf): void => {
      server.closeAllConnections();
      server.setSecureContext(files(leaf));
    },
  };
}

for (const option of ['ca', 'certificate'] as const)
  test(`a changed file of ${option} that the server does not use yet: the former one is used until the restart of the server`, async (t) => {
    const { folder, ca, server } = issue(t);
    const other = new TestCa(join(folder), 'other-ca');
    const renewed = other.issue('renewed', 'serverAuth');
    const file = join(folder, 'trusted.pem');
    copyFileSync(option === 'ca' ? ca.cert : server.cert, file);
    const { address, restartWith } = await renewable(t, server);
    const logged: string[] = [];
    const log = {
      info: (text: string) => void logged.push(text),
      warn: (text: string) => void logged.push(text),
    };
    const client = new HttpClient({ address: parseHostPort(address), tls: true, [option]: file }, log);
    client.open();
    t.teardown(() => client.close());
    const ask = async (): Promise<unknown> => {
      const { status } = await client.send({ path: '/', signal: never() });
      return [status, client.usesFormerFiles];
    };
    t.deepEqual(await ask(), [200, false]);
    copyFileSync(option === 'ca' ? other.cert : renewed.cert, file);
    t.deepEqual(await ask(), [200, true]);
    t.deepEqual(await ask(), [200, true]);
    restartWith(renewed);
    t.deepEqual(await ask(), [200, false]);
    t.deepEqual(logged, [
      'the TLS files have changed and were read again',
      'the endpoint does not accept the changed TLS files, keeping the former ones until its restart',
      'the endpoint accepts the changed TLS files',
    ]);
    restartWith(server);
    const expected =
      option === 'ca'
        ? 'its certificate is not signed by a trusted CA'
        : 'its certificate is not the configured one';
    await t.throwsAsync(ask(), { message: `GET https://${address}/: ${expected}` });
  });

for (const version of ['TLSv1.2', 'TLSv1.3'] as const)
  test(`a changed client certificate that a server with ${version} does not trust yet: the former one is used`, async (t) => {
    const { folder, ca, server, client: trusted } = issue(t);
    const other = new TestCa(folder, 'other-ca').issue('renewed', 'clientAuth');
    const files = { cert: join(folder, 'own.pem'), key: join(folder, 'own.key') };
    const install = ({ cert, key }: Leaf): void => {
      copyFileSync(cert, files.cert);
      copyFileSync(key, files.key);
    };
    install(trusted);
    const address = await strictTls(t, { ca: ca.cert, ...server }, version);
    const options = { address: parseHostPort(address), tls: true, ca: ca.cert, ...files };
    const client = new HttpClient(options, LOG);
    client.open();
    t.teardown(() => client.close());
    const ask = async (): Promise<unknown> => {
      const { status } = await client.send({ path: '/', signal: never(), acceptsAny: true });
      return [status, client.usesFormerFiles];
    };
    t.deepEqual(await ask(), [200, false]);
    install(other);
    t.deepEqual(await ask(), [200, true]);
  });

for (const [option, others] of [
  ['ca', {}],
  ['certificate', {}],
  ['cert', { key: '/no/such/key' }],
] as const)
  test(`an error in a file names the option ${option}`, (t) => {
    const tls = { tls: true, ...others, [option]: '/no/such/file' };
    t.throws(() => readTls(tls), {
      message: `options.${option}: /no/such/file cannot be read: no such file`,
    });
  });

test('an error in the key names its option', (t) => {
  const { client } = issue(t);
  t.throws(() => readTls({ tls: true, cert: client.cert, key: '/no/such/key' }), {
    message: 'options.key: /no/such/key cannot be read: no such file',
  });
});

for (const [files, isValid] of [
  [{}, true],
  [{ cert: '/c', key: '/k' }, true],
  [{ cert: '/c' }, false],
  [{ key: '/k' }, false],
] as const)
  test(`a client certificate of ${JSON.stringify(files)} is ${isValid ? 'complete' : 'refused'}`, (t) => {
    if (isValid) t.notThrows(() => checkClientCertificate(files));
    else
      t.throws(() => checkClientCertificate(files), {
        message: 'options.cert and options.key must be set together',
      });
  });

test('files that have changed but cannot be used are reported once, and the last value stays', async (t) => {
  const folder = temporaryFolder(t, { a: 'one', b: 'more than one', c: 'something else' });
  const file = join(folder, 'a');
  const logged: string[] = [];
  const log = (level: string) => (text: string) => void logged.push(`${level} ${text}`);
  let made = 0;
  const create = (): number => {
    made += 1;
    if (made === 2) throw new Error('options.ca: a is broken');
    return made;
  };
  const reloading = new ReloadingTls([file], create, { info: log('info'), warn: log('warn') });
  t.is(reloading.open(), 1);
  copyFileSync(join(folder, 'b'), file);
  t.is(await reloading.current(), 1);
  t.is(await reloading.current(), 1);
  t.deepEqual(logged, [
    'warn the TLS files have changed but cannot be used, keeping the current ones: options.ca: a is broken',
  ]);
  copyFileSync(join(folder, 'c'), file);
  t.is(await reloading.current(), 3);
  t.deepEqual(logged.slice(1), ['info the TLS files have changed and were read again']);
  reloading.close();
  await t.throwsAsync(reloading.current(), { message: 'the plugin is not started' });
});

test('after a change of its files a client uses them, and closes its idle connections', async (t) => {
  const { folder, ca, server } = issue(t);
  const other = new TestCa(folder, 'other');
  const file = join(folder, 'trusted.pem');
  copyFileSync(ca.cert, file);
  let closed: Promise<void> | undefined;
  const files = { cert: readFileSync(server.cert), key: readFileSync(server.key) };
  const address = await engineOverTls(t, files, ({ socket }, response) => {
    closed ??= new Promise((resolve) => socket.once('close', () => resolve()));
    response.end('x');
  });
  const client = new HttpClient({ address: parseHostPort(address), tls: true, ca: file }, LOG);
  t.teardown(() => client.close());
  client.open();
  t.is((await client.send({ path: '/', signal: never() })).status, 200);
  appendFileSync(file, readFileSync(other.cert));
  t.is((await client.send({ path: '/', signal: never() })).status, 200);
  t.false(client.usesFormerFiles);
  await closed;
});
