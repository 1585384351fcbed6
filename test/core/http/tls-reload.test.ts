// Certificates are read again while the service works.

import { copyFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { Agent as HttpsAgent } from 'node:https';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { Leaf } from '../../helpers/certificates.js';
import { makeCertificates } from '../../helpers/certificate-set.js';
import { startProgram } from '../../helpers/program.js';
import { OK_ROUTE, startServer } from '../../helpers/server.js';
import { askTls, clientOptions } from '../../helpers/tls-client.js';

const set = makeCertificates();
const old = { server: set.server, client: set.clients.trusted as Leaf, authority: set.authority };
const next = {
  server: set.foreign.issue('server', 'serverAuth', ['20200101000000Z', '20401231235959Z']),
  client: set.foreign.issue('client', 'clientAuth'),
  authority: set.foreign,
};
const ROUTES = [OK_ROUTE, { ...OK_ROUTE, path: '/protected', isOpen: false }];

/** Files of a service that can be exchanged under it. */
function installFiles(): {
  tls: Parameters<typeof startServer>[2] & object;
  install: (which: typeof old) => void;
} {
  const folder = mkdtempSync(join(set.folder, 'live-'));
  const tls = {
    certFile: join(folder, 'server.pem'),
    keyFile: join(folder, 'server.key'),
    clientRootCAFiles: [join(folder, 'ca.pem')],
    clientAuthRequired: false,
  };
  const install = ({ server, authority }: typeof old): void => {
    copyFileSync(server.cert, tls.certFile);
    copyFileSync(server.key, tls.keyFile);
    copyFileSync(authority.cert, tls.clientRootCAFiles[0] ?? '');
  };
  install(old);
  return { tls, install };
}

/** A client that trusts servers of both authorities. */
function clientOf({ client }: typeof old): ReturnType<typeof clientOptions> {
  const options = clientOptions(old.authority.cert, client);
  return { ...options, ca: [options.ca, clientOptions(next.authority.cert).ca] as Buffer[] };
}

const connections = { new: false, kept: true };
for (const [kind, keepAlive] of Object.entries(connections)) {
  test(`exchanging all files under twenty clients with ${kind} connections fails no request`, async (t) => {
    const { tls, install } = installFiles();
    const { port, server } = await startServer(t, ROUTES, tls);
    const progress = { isDone: false, count: 0 };
    const statuses = new Set<number>();
    const work = async (): Promise<void> => {
      const agent = new HttpsAgent({ keepAlive, maxSockets: 1 });
      try {
        while (!progress.isDone) {
          const answer = await askTls(port, '/ok', { ...clientOf(old), agent });
          statuses.add(answer.status);
          progress.count += 1;
        }
      } finally {
        agent.destroy();
      }
    };
    const workers = Promise.all(Array.from({ length: 20 }, work));
    const reach = async (more: number): Promise<void> => {
      const goal = progress.count + more;
      while (progress.count < goal && !progress.isDone)
        await new Promise((resolve) => setTimeout(resolve, 5));
    };
    void workers.catch(() => (progress.isDone = true));
    for (const which of [next, old, next]) {
      await reach(60);
      install(which);
      server.reloadTls();
    }
    await reach(60);
    progress.isDone = true;
    await workers;
    t.deepEqual([...statuses], [200]);
    t.true(progress.count >= 240);
  });
}

test('after an exchange new connections see the new certificate and clients of the old authority get 401', async (t) => {
  const { tls, install } = installFiles();
  const { port, server, metrics } = await startServer(t, ROUTES, tls);
  const before = await askTls(port, '/protected', clientOf(old));
  t.is(before.status, 200);
  t.is((await askTls(port, '/protected', clientOf(next))).status, 401);

  install(next);
  server.reloadTls();
  const after = await askTls(port, '/protected', clientOf(next));
  t.is(after.status, 200);
  t.not(after.serial, before.serial);
  const refused = await askTls(port, '/protected', clientOf(old));
  t.is(refused.status, 401);
  t.regex(refused.body, /its issuer is not among the client root CAs/);
  const expiry = Date.parse('2040-12-31T23:59:59Z') / 1000;
  t.true((await metrics()).includes(`tls_certificate_expiry_timestamp_seconds{role="server"} ${expiry}\n`));
});

test('a kept connection goes on with what it agreed on', async (t) => {
  const { tls, install } = installFiles();
  const { port, server } = await startServer(t, ROUTES, tls);
  const agent = new HttpsAgent({ keepAlive: true, maxSockets: 1 });
  t.teardown(() => agent.destroy());
  const before = await askTls(port, '/protected', { ...clientOf(old), agent });
  install(next);
  server.reloadTls();
  const after = await askTls(port, '/protected', { ...clientOf(old), agent });
  t.is(before.status, 200);
  t.is(after.status, 200);
  t.true(after.isKept);
});

for (const [what, spoil] of Object.entries({
  'an empty certificate': (t) => writeFileSync(t.certFile, ''),
  'the key of another certificate': (t) => copyFileSync(next.server.key, t.keyFile),
  'an authority of words': (t) => writeFileSync(t.clientRootCAFiles[0] ?? '', 'words'),
} satisfies Record<string, (tls: ReturnType<typeof installFiles>['tls']) => void>)) {
  test(`${what} is refused on reading again, and the old files go on`, async (t) => {
    const { tls } = installFiles();
    const { port, server, metrics } = await startServer(t, ROUTES, tls);
    const before = await askTls(port, '/protected', clientOf(old));
    const gauge = /tls_certificate_expiry\S+ \d+/g;
    const expiry = (await metrics()).match(gauge);
    spoil(tls);
    t.throws(() => server.reloadTls(), { code: 'TLS_INVALID' });
    const after = await askTls(port, '/protected', clientOf(old));
    t.is(after.status, 200);
    t.is(after.serial, before.serial);
    t.deepEqual((await metrics()).match(gauge), expiry);
  });
}

/** Starts the program with TLS and waits for its address. */
async function startWithTls(t: ExecutionContext, tls: ReturnType<typeof installFiles>['tls']) {
  const program = startProgram(t, [
    'start',
    ...Object.entries({
      'operations.listenAddress': '127.0.0.1:0',
      'operations.tls.enabled': 'true',
      'operations.tls.cert.file': tls.certFile,
      'operations.tls.key.file': tls.keyFile,
      'operations.tls.clientRootCAs.files': tls.clientRootCAFiles.join(','),
    }).flatMap(([key, value]) => ['--set', `${key}=${value}`]),
  ]);
  const [, port] = await program.line(/serving on https:\/\/127\.0\.0\.1:(\d+)/);
  return { program, port: Number(port) };
}

test('SIGHUP makes the program read the files again; bad ones are logged and the old ones stay until there are good ones', async (t) => {
  const { tls, install } = installFiles();
  const { program, port } = await startWithTls(t, tls);
  const first = await askTls(port, '/version', clientOf(old));
  t.is(first.status, 200);

  install(next);
  program.child.kill('SIGHUP');
  await program.line(/certificates reloaded\n/);
  const second = await askTls(port, '/version', clientOf(next));
  t.is(second.status, 200);
  t.not(second.serial, first.serial);

  writeFileSync(tls.certFile, 'garbage');
  program.child.kill('SIGHUP');
  await program.line(
    new RegExp(
      `certificates not reloaded, keeping the current ones: server certificate ${tls.certFile} holds no certificate in PEM form`,
    ),
  );
  t.is((await askTls(port, '/version', clientOf(next))).serial, second.serial);

  install(old);
  program.child.kill('SIGHUP');
  await program.line(/keeping the current ones: [^]*certificates reloaded\n/);
  t.is((await askTls(port, '/version', clientOf(old))).serial, first.serial);
  program.child.kill('SIGTERM');
  t.is((await program.ended).status, 0);
});

test('SIGHUP without TLS says that there is nothing to read', async (t) => {
  const program = startProgram(t, ['start', '--set', 'operations.listenAddress=127.0.0.1:0']);
  await program.line(/serving on /);
  program.child.kill('SIGHUP');
  await program.line(/TLS is disabled, there are no certificates to reload/);
  program.child.kill('SIGTERM');
  t.is((await program.ended).status, 0);
});
