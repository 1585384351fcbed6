// Reloading certificates of a running server.

import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent as HttpsAgent } from 'node:https';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { Leaf } from '../../helpers/certificates.js';
import { makeCertificates } from '../../helpers/certificate-set.js';
import { startProgram } from '../../helpers/program.js';
import { OK_ROUTE, startServer } from '../../helpers/server.js';
import { clientOptions, sendTlsRequest } from '../../helpers/tls-client.js';

const set = makeCertificates();
const old = { server: set.server, client: set.clients.trusted as Leaf, ca: set.ca };
const next = {
  server: set.foreignCa.issue('server', 'serverAuth', ['20200101000000Z', '20401231235959Z']),
  client: set.foreignCa.issue('client', 'clientAuth'),
  ca: set.foreignCa,
};
const expired = set.ca.issue('expired-server', 'serverAuth', ['20200101000000Z', '20200201000000Z']);
const future = set.ca.issue('future-server', 'serverAuth', ['20480101000000Z', '20490101000000Z']);
const ROUTES = [OK_ROUTE, { ...OK_ROUTE, path: '/protected', isOpen: false }];

/** TLS files that can be replaced while a server uses them. */
function installFiles(): {
  tls: Parameters<typeof startServer>[2] & object;
  install: (which: typeof old, cas?: readonly (typeof old.ca)[]) => void;
} {
  const directory = mkdtempSync(join(set.directory, 'live-'));
  const tls = {
    certFile: join(directory, 'server.pem'),
    keyFile: join(directory, 'server.key'),
    clientRootCAFiles: [join(directory, 'ca.pem')],
    clientAuthRequired: false,
  };
  const install = ({ server, ca }: typeof old, cas: readonly (typeof ca)[] = [ca]): void => {
    copyFileSync(server.cert, tls.certFile);
    copyFileSync(server.key, tls.keyFile);
    writeFileSync(tls.clientRootCAFiles[0] ?? '', cas.map(({ cert }) => readFileSync(cert, 'utf8')).join(''));
  };
  install(old);
  return { tls, install };
}

/** Options of a client that trusts both CAs. */
function clientOf({ client }: typeof old): ReturnType<typeof clientOptions> {
  const options = clientOptions(old.ca.cert, client);
  return { ...options, ca: [options.ca, clientOptions(next.ca.cert).ca] as Buffer[] };
}

const connections = { new: false, kept: true };
for (const [kind, keepAlive] of Object.entries(connections)) {
  test(`no request of twenty clients with ${kind} connections fails during reloads that withdraw no client CA`, async (t) => {
    const { tls, install } = installFiles();
    const { port, server } = await startServer(t, ROUTES, tls);
    const progress = { isDone: false, count: 0 };
    const statuses = new Set<number>();
    const work = async (): Promise<void> => {
      const agent = new HttpsAgent({ keepAlive, maxSockets: 1 });
      try {
        while (!progress.isDone) {
          const response = await sendTlsRequest(port, '/ok', { ...clientOf(old), agent });
          statuses.add(response.status);
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
      install(which, [old.ca, next.ca]);
      server.reloadTls();
    }
    await reach(60);
    progress.isDone = true;
    await workers;
    t.deepEqual([...statuses], [200]);
    t.true(progress.count >= 240);
  });
}

test('after a reload new connections use the new certificate and clients of the old CA receive 401', async (t) => {
  const { tls, install } = installFiles();
  const { port, server, metrics } = await startServer(t, ROUTES, tls);
  const before = await sendTlsRequest(port, '/protected', clientOf(old));
  t.is(before.status, 200);
  t.is((await sendTlsRequest(port, '/protected', clientOf(next))).status, 401);

  install(next);
  server.reloadTls();
  const after = await sendTlsRequest(port, '/protected', clientOf(next));
  t.is(after.status, 200);
  t.not(after.serial, before.serial);
  const refused = await sendTlsRequest(port, '/protected', clientOf(old));
  t.is(refused.status, 401);
  t.regex(refused.body, /it cannot be trusted: SELF_SIGNED_CERT_IN_CHAIN/);
  const expiry = Date.parse('2040-12-31T23:59:59Z') / 1000;
  t.true(
    (await metrics()).includes(
      `fabric_ops_agent_tls_certificate_expiry_timestamp_seconds{role="server"} ${expiry}\n`,
    ),
  );
});

test('an open connection keeps its certificates after a reload that does not withdraw its client CA', async (t) => {
  const { tls, install } = installFiles();
  const { port, server } = await startServer(t, ROUTES, tls);
  const agent = new HttpsAgent({ keepAlive: true, maxSockets: 1 });
  t.teardown(() => agent.destroy());
  const before = await sendTlsRequest(port, '/protected', { ...clientOf(old), agent });
  install(next, [old.ca, next.ca]);
  server.reloadTls();
  const after = await sendTlsRequest(port, '/protected', { ...clientOf(old), agent });
  t.is(before.status, 200);
  t.is(after.status, 200);
  t.true(after.isKept);
});

for (const [what, spoil] of Object.entries({
  'an empty certificate': (t) => writeFileSync(t.certFile, ''),
  'the key of another certificate': (t) => copyFileSync(next.server.key, t.keyFile),
  'an expired certificate': (t) => {
    copyFileSync(expired.cert, t.certFile);
    copyFileSync(expired.key, t.keyFile);
  },
  'a certificate that is not valid yet': (t) => {
    copyFileSync(future.cert, t.certFile);
    copyFileSync(future.key, t.keyFile);
  },
  'a named pipe instead of the key': (t) => {
    rmSync(t.keyFile);
    execFileSync('mkfifo', [t.keyFile]);
  },
  'a client CA file with other text': (t) => writeFileSync(t.clientRootCAFiles[0] ?? '', 'words'),
} satisfies Record<string, (tls: ReturnType<typeof installFiles>['tls']) => void>)) {
  test(`a reload with ${what} fails and keeps the current certificates`, async (t) => {
    const { tls } = installFiles();
    const { port, server, metrics } = await startServer(t, ROUTES, tls);
    const before = await sendTlsRequest(port, '/protected', clientOf(old));
    const gauge = /tls_certificate_expiry\S+ \d+/g;
    const expiry = (await metrics()).match(gauge);
    spoil(tls);
    t.throws(() => server.reloadTls(), { code: 'TLS_INVALID' });
    const after = await sendTlsRequest(port, '/protected', clientOf(old));
    t.is(after.status, 200);
    t.is(after.serial, before.serial);
    t.deepEqual((await metrics()).match(gauge), expiry);
  });
}

/** Starts the program with TLS and waits until it is listening. */
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

test('SIGHUP reloads the certificates; unusable ones are logged and the current ones stay in use', async (t) => {
  const { tls, install } = installFiles();
  const { program, port } = await startWithTls(t, tls);
  const first = await sendTlsRequest(port, '/version', clientOf(old));
  t.is(first.status, 200);

  install(next);
  program.child.kill('SIGHUP');
  await program.line(/certificates reloaded\n/);
  const second = await sendTlsRequest(port, '/version', clientOf(next));
  t.is(second.status, 200);
  t.not(second.serial, first.serial);

  writeFileSync(tls.certFile, 'garbage');
  program.child.kill('SIGHUP');
  await program.line(
    new RegExp(
      `certificates not reloaded, keeping the current ones: server certificate ${tls.certFile} contains no PEM certificate`,
    ),
  );
  t.is((await sendTlsRequest(port, '/version', clientOf(next))).serial, second.serial);

  install(old);
  program.child.kill('SIGHUP');
  await program.line(/keeping the current ones: [^]*certificates reloaded\n/);
  t.is((await sendTlsRequest(port, '/version', clientOf(old))).serial, first.serial);
  program.child.kill('SIGTERM');
  t.is((await program.ended).status, 0);
});

test('SIGHUP without TLS is logged', async (t) => {
  const program = startProgram(t, ['start', '--set', 'operations.listenAddress=127.0.0.1:0']);
  await program.line(/serving on /);
  program.child.kill('SIGHUP');
  await program.line(/TLS is disabled, there are no certificates to reload/);
  program.child.kill('SIGTERM');
  t.is((await program.ended).status, 0);
});
