// The resources that a client may use with its certificate.

import { execFile } from 'node:child_process';
import test, { type ExecutionContext } from 'ava';
import { startAgent, type StartedAgent } from '../../helpers/agent.js';
import { makeCertificates } from '../../helpers/certificate-set.js';
import { QUIET } from '../../helpers/quiet-backend.js';
import { clientOptions, sendTlsRequest } from '../../helpers/tls-client.js';

const { ca, server, clients } = makeCertificates();

const REFUSALS: Readonly<Record<string, string>> = {
  no: 'none was sent',
  'serverAuth-only': 'it cannot be trusted: INVALID_PURPOSE',
  foreign: 'it cannot be trusted: UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  expired: 'it cannot be trusted: CERT_HAS_EXPIRED',
  'not-yet-valid': 'it cannot be trusted: CERT_NOT_YET_VALID',
};
const STATUSES: Readonly<Record<string, number>> = {
  '/healthz': 200,
  '/logspec': 200,
  '/metrics': 200,
  '/version': 200,
  '/unknown': 404,
};

function start(t: ExecutionContext, clientAuthRequired: boolean): Promise<StartedAgent> {
  return startAgent(t, {
    'operations.tls.enabled': true,
    'operations.tls.cert.file': server.cert,
    'operations.tls.key.file': server.key,
    'operations.tls.clientRootCAs.files': [ca.cert],
    'operations.tls.clientAuthRequired': clientAuthRequired,
    'metrics.provider': 'prometheus',
    plugins: QUIET,
  });
}

for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
  for (const [certificate, leaf] of Object.entries(clients)) {
    const refusal = REFUSALS[certificate];
    const tls = { ...clientOptions(ca.cert, leaf), minVersion: version, maxVersion: version };

    const isRefusedAt = (path: string): boolean => refusal !== undefined && path !== '/healthz';
    const expected = Object.entries(STATUSES).map(
      ([path, status]) => [path, isRefusedAt(path) ? 401 : status] as const,
    );
    const received = expected.map(([path, status]) => `${status} for ${path}`).join(', ');

    test(`${version}, client certificates optional: ${certificate} certificate receives ${received}`, async (t) => {
      const { port } = await start(t, false);
      for (const [path, status] of expected) {
        const response = await sendTlsRequest(port, path, tls);
        t.is(response.status, status, path);
        t.truthy(response.headers['x-request-id']);
        if (status === 401) {
          t.is(
            response.body,
            `{"error":"a verified client certificate is required, but ${refusal ?? ''}"}\n`,
          );
          t.is(response.headers['content-type'], 'application/json');
        }
      }
    });

    test(`${version}, client certificates required: ${certificate} certificate ${refusal === undefined ? `receives ${received}` : 'is refused'}`, async (t) => {
      const { port } = await start(t, true);
      for (const [path, status] of expected) {
        if (refusal === undefined) t.is((await sendTlsRequest(port, path, tls)).status, status, path);
        else {
          const error = await t.throwsAsync<NodeJS.ErrnoException>(
            sendTlsRequest(port, path, tls),
            undefined,
            path,
          );
          t.regex(error.code ?? '', /^(?:ECONNRESET|EPIPE|EPROTO|ERR_SSL_)/);
        }
      }
    });
  }
}

for (const [version, alert] of [
  ['-tls1_2', 'handshake failure'],
  ['-tls1_3', 'certificate required'],
] as const) {
  test(`openssl s_client ${version} without a required certificate receives a TLS alert`, async (t) => {
    const { port } = await start(t, true);
    const args = ['s_client', '-connect', `127.0.0.1:${port}`, version, '-quiet', '-CAfile', ca.cert];
    const output = await new Promise<string>((resolve) => {
      const child = execFile('openssl', args, (_error, _stdout, stderr) => resolve(stderr));
      child.stdin?.on('error', () => undefined);
      child.stdin?.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    });
    t.true(output.includes(`alert ${alert}`), output);
  });
}

for (const method of ['HEAD', 'OPTIONS', 'DELETE', 'PUT', 'TRACE']) {
  test(`without a certificate ${method} /logspec receives 401 and changes nothing`, async (t) => {
    const { agent, port } = await start(t, false);
    const before = await agent.logging.spec();
    const { status, headers } = await sendTlsRequest(port, '/logspec', {
      ...clientOptions(ca.cert),
      method,
      requestBody: method === 'PUT' ? '{"spec":"debug"}' : undefined,
    });
    t.is(status, 401);
    t.is(headers.allow, undefined);
    t.is(await agent.logging.spec(), before);
  });
}

test('other forms of a protected path need a certificate too', async (t) => {
  const { port } = await start(t, false);
  const anonymous = clientOptions(ca.cert);
  for (const path of [
    '/healthz/../logspec',
    '/healthz/%2e%2e/logspec',
    '//logspec',
    '/%6cogspec',
    '/%68ealthz',
    '/%zz',
    'http://x/logspec',
  ])
    t.is((await sendTlsRequest(port, path, anonymous)).status, 401, path);
});

for (const host of ['x/healthz?', 'x/healthz#', '[', '^'])
  test(`the Host header '${host}' does not open a protected path`, async (t) => {
    const { port } = await start(t, false);
    const options = { ...clientOptions(ca.cert), servername: 'localhost', headers: { Host: host } };
    t.is((await sendTlsRequest(port, '/logspec', options)).status, 401);
  });
