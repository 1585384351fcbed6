// Changed TLS files are used without a signal: the files of the agent's server and of its clients.

import { copyFileSync, mkdirSync, mkdtempSync, renameSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import test, { type ExecutionContext } from 'ava';
import { HttpClient } from '../../core/kit/http-client.js';
import type { Leaf } from '../helpers/certificates.js';
import { makeCertificates } from '../helpers/certificate-set.js';
import { startProgram, type RunningProgram } from '../helpers/program.js';
import { clientOptions, sendTlsRequest } from '../helpers/tls-client.js';
import { until } from '../helpers/until.js';

const { directory, ca, server, clients } = makeCertificates();
const renewed = ca.issue('renewed', 'serverAuth');
const client = clients['trusted'] as Leaf;
const renewedClient = ca.issue('renewed-client', 'clientAuth');

/** The files of a Secret as Kubernetes mounts it: links through `..data`; replacing it changes all of them at once. */
function mountSecret(first: Leaf): { cert: string; key: string; ca: string; replace: (leaf: Leaf) => void } {
  const mount = mkdtempSync(join(directory, 'secret-'));
  const names = { cert: 'tls.crt', key: 'tls.key', ca: 'ca.crt' };
  let version = 0;
  const replace = (leaf: Leaf): void => {
    version += 1;
    const folder = `..version_${version}`;
    mkdirSync(join(mount, folder));
    for (const [part, name] of Object.entries(names))
      copyFileSync({ ...leaf, ca: ca.cert }[part as keyof typeof names], join(mount, folder, name));
    symlinkSync(folder, join(mount, '..data_tmp'));
    renameSync(join(mount, '..data_tmp'), join(mount, '..data'));
  };
  replace(first);
  for (const name of Object.values(names)) symlinkSync(join('..data', name), join(mount, name));
  return { cert: join(mount, names.cert), key: join(mount, names.key), ca: join(mount, names.ca), replace };
}

/** Starts the program with the files. */
async function startAgent(
  t: ExecutionContext,
  files: { cert: string; key: string; ca: string },
): Promise<{ program: RunningProgram; serial: () => Promise<string> }> {
  const settings = {
    listenAddress: '127.0.0.1:0',
    'tls.enabled': 'true',
    'tls.cert.file': files.cert,
    'tls.key.file': files.key,
    'tls.clientRootCAs.files': files.ca,
  };
  const flags = Object.entries(settings).flatMap(([key, value]) => ['--set', `operations.${key}=${value}`]);
  const program = startProgram(t, ['start', ...flags]);
  const [, port] = await program.line(/serving on https:\/\/127\.0\.0\.1:(\d+)/);
  const serial = async (): Promise<string> => {
    const response = await sendTlsRequest(Number(port), '/version', clientOptions(ca.cert, client));
    t.is(response.status, 200);
    return response.serial;
  };
  return { program, serial };
}

test('a replaced Secret is used without a signal, and read once', async (t) => {
  const secret = mountSecret(server);
  const { program, serial } = await startAgent(t, secret);
  const before = await serial();
  secret.replace(renewed);
  await program.line(/certificates reloaded\n/);
  const after = await serial();
  t.not(after, before);
  secret.replace(server);
  await program.line(/certificates reloaded\n[^]*certificates reloaded\n/);
  t.is(await serial(), before);
  t.notRegex(program.stderr(), /not reloaded/);
  t.is(program.stderr().match(/certificates reloaded/g)?.length, 2);
});

test('the current pair stays in use until the new one is complete', async (t) => {
  const own = mkdtempSync(join(directory, 'files-'));
  const files = { cert: join(own, 'cert.pem'), key: join(own, 'key.pem'), ca: ca.cert };
  copyFileSync(server.cert, files.cert);
  copyFileSync(server.key, files.key);
  const { program, serial } = await startAgent(t, files);
  const before = await serial();
  copyFileSync(renewed.cert, files.cert);
  await program.line(
    /certificates not reloaded, keeping the current ones: private key \S+ does not belong to/,
  );
  t.is(await serial(), before);
  copyFileSync(renewed.key, files.key);
  await program.line(/certificates reloaded\n/);
  t.not(await serial(), before);
  t.is(program.stderr().match(/not reloaded/g)?.length, 1);
});

test('a client uses the certificate of a replaced Secret for its next connection', async (t) => {
  const seen: string[] = [];
  const logged: string[] = [];
  const { cert, key, ca: clientCA } = clientOptions(ca.cert, server);
  const receiver = createServer(
    { cert, key, ca: clientCA, requestCert: true } as object,
    (request, response) => {
      seen.push((request.socket as TLSSocket).getPeerCertificate().subject.CN);
      response.end();
    },
  );
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  t.teardown(() => receiver.close().closeAllConnections());
  const secret = mountSecret(client);
  const address = { host: '127.0.0.1', port: (receiver.address() as AddressInfo).port };
  const log = {
    info: (text: string) => void logged.push(text),
    warn: (text: string) => void logged.push(text),
  };
  const sender = new HttpClient(
    {
      address,
      tls: true,
      certificate: '',
      serverName: '',
      ca: secret.ca,
      cert: secret.cert,
      key: secret.key,
    },
    log,
  );
  sender.open();
  t.teardown(() => sender.close());
  const send = () =>
    sender.send({
      method: 'GET',
      path: '/',
      headers: {},
      maxSize: 100,
      signal: new AbortController().signal,
    });
  await send();
  secret.replace(renewedClient);
  await send();
  await until(() => seen.length === 2);
  t.deepEqual(seen, ['client', 'renewed-client']);
  t.deepEqual(logged, ['the TLS files have changed and were read again']);
});
