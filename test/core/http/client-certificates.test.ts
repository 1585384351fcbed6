// Who may ask for what, by the certificate of the client.

import test from 'ava';
import { startAgent, type StartedAgent } from '../../helpers/agent.js';
import { makeCertificates } from '../../helpers/certificate-set.js';
import { QUIET } from '../../helpers/quiet-backend.js';
import { askTls, clientOptions } from '../../helpers/tls-client.js';
import type { ExecutionContext } from 'ava';

const { authority, server, clients } = makeCertificates();

const REFUSALS: Readonly<Record<string, string>> = {
  no: 'none was sent',
  'serverAuth-only': 'it cannot be trusted: it is not meant for clients',
  foreign: 'it cannot be trusted: its issuer is not among the client root CAs',
  expired: 'it cannot be trusted: it has expired',
  'not-yet-valid': 'it cannot be trusted: it is not valid yet',
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
    'operations.tls.clientRootCAs.files': [authority.cert],
    'operations.tls.clientAuthRequired': clientAuthRequired,
    'metrics.provider': 'prometheus',
    plugins: QUIET,
  });
}

for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
  for (const [certificate, leaf] of Object.entries(clients)) {
    const refusal = REFUSALS[certificate];
    const tls = { ...clientOptions(authority.cert, leaf), minVersion: version, maxVersion: version };

    for (const [path, status] of Object.entries(STATUSES)) {
      const expected = refusal !== undefined && path !== '/healthz' ? 401 : status;
      test(`${version}, client certificates optional: ${certificate} certificate on ${path} gets ${expected}`, async (t) => {
        const { port } = await start(t, false);
        const answer = await askTls(port, path, tls);
        t.is(answer.status, expected);
        t.truthy(answer.headers['x-request-id']);
        if (expected === 401) {
          t.is(answer.body, `{"error":"a verified client certificate is required, but ${refusal ?? ''}"}\n`);
          t.is(answer.headers['content-type'], 'application/json');
        }
      });

      test(`${version}, client certificates required: ${certificate} certificate on ${path} ${refusal === undefined ? `gets ${status}` : 'is refused in the handshake'}`, async (t) => {
        const { port } = await start(t, true);
        if (refusal === undefined) t.is((await askTls(port, path, tls)).status, status);
        else {
          const error = await t.throwsAsync<NodeJS.ErrnoException>(askTls(port, path, tls));
          t.regex(error.code ?? '', /^(?:ECONNRESET|EPIPE|EPROTO|ERR_SSL_)/);
        }
      });
    }
  }
}

for (const method of ['HEAD', 'OPTIONS', 'DELETE', 'PUT', 'TRACE', 'CONNECT']) {
  test(`without a certificate ${method} on /logspec gets 401 before anything else`, async (t) => {
    const { agent, port } = await start(t, false);
    const tls = clientOptions(authority.cert);
    const before = await agent.logging.spec();
    const { status, headers } = await askTls(port, '/logspec', {
      ...tls,
      method,
      requestBody: method === 'CONNECT' ? undefined : '{"spec":"debug"}',
    });
    t.is(status, 401);
    t.is(headers.allow, undefined);
    t.is(await agent.logging.spec(), before);
  });
}

test('a target that is no path, or one that would be cleaned, gets 401 without a certificate', async (t) => {
  const { port } = await start(t, false);
  for (const path of ['/x/../logspec', '//healthz', '/%zz', '/%6cogspec'])
    t.is((await askTls(port, path, clientOptions(authority.cert))).status, 401, path);
  t.is((await askTls(port, '/%68ealthz', clientOptions(authority.cert))).status, 200);
});
