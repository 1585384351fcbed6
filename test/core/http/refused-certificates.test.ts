// Client certificates that OpenSSL refuses, some without a reason: broken signatures, name constraints, weak digests and weak keys.

import test, { type ExecutionContext } from 'ava';
import type { Leaf } from '../../helpers/certificates.js';
import { makeCertificates } from '../../helpers/certificate-set.js';
import { CA, CLIENT, makeCertificate, type CertificateOptions } from '../../helpers/make-certificate.js';
import { OK_ROUTE, startServer } from '../../helpers/server.js';
import { clientOptions, sendTlsRequest } from '../../helpers/tls-client.js';

const { directory, ca, server } = makeCertificates();
const ROUTES = [OK_ROUTE, { ...OK_ROUTE, path: '/protected', isOpen: false }];
const make = (name: string, options?: CertificateOptions): Leaf => makeCertificate(directory, name, options);

const NAMESAKE = { subject: 'operations CA', extensions: CA };
const first = make('first', NAMESAKE);
const unknown = make('unknown', NAMESAKE);
const constrained = make('constrained', {
  extensions: [...CA, 'nameConstraints=critical,permitted;DNS:example.com'],
});

const WRONG_SIGNATURE = 'it cannot be trusted: CERT_SIGNATURE_FAILURE';
const OTHER = 'it cannot be trusted: UNSPECIFIED';

/** The certificate of the client, the trusted CAs, and why it is refused. */
const CASES: readonly (readonly [string, readonly Leaf[], Leaf, string | undefined])[] = [
  ['of the only CA', [first], make('of-first', { issuer: first }), undefined],
  ['of another CA with the name of the only CA', [first], make('only', { issuer: unknown }), WRONG_SIGNATURE],
  [
    'with a name outside the name constraints of its CA',
    [constrained],
    make('outside', { issuer: constrained, extensions: [...CLIENT, 'subjectAltName=DNS:example.org'] }),
    OTHER,
  ],
  ['signed with SHA-1', [first], make('sha1', { issuer: first, digest: 'sha1' }), OTHER],
  [
    'with an RSA key of 1024 bits',
    [first],
    make('rsa1024', { issuer: first, key: 'rsa:1024' }),
    'it cannot be trusted: its RSA key has 1024 bits, fewer than 2048',
  ],
];

const start = (t: ExecutionContext, cas: readonly Leaf[], clientAuthRequired: boolean) =>
  startServer(t, ROUTES, {
    certFile: server.cert,
    keyFile: server.key,
    clientRootCAFiles: cas.map(({ cert }) => cert),
    clientAuthRequired,
  });

for (const version of ['TLSv1.2', 'TLSv1.3'] as const)
  for (const [what, cas, leaf, refusal] of CASES) {
    const options = {
      ...clientOptions(ca.cert, leaf),
      minVersion: version,
      maxVersion: version,
      ciphers: 'DEFAULT:@SECLEVEL=0',
    };
    test(`${version}: a client certificate ${what} receives 200 from an open resource and ${refusal === undefined ? 200 : '401'} from others`, async (t) => {
      const { port, logged } = await start(t, cas, false);
      t.is((await sendTlsRequest(port, '/ok', options)).status, 200);
      const messages = logged.map(({ message }) => message);
      if (refusal === undefined) t.deepEqual(messages, []);
      else {
        const reason = refusal.replace('it cannot be trusted: ', '');
        t.deepEqual(messages, [`the client certificate was refused: ${reason}`]);
        t.is(logged[0]?.fields?.remoteAddress, '127.0.0.1');
      }

      const { status, body } = await sendTlsRequest(port, '/protected', options);
      t.is(status, refusal === undefined ? 200 : 401);
      const text = refusal && `{"error":"a verified client certificate is required, but ${refusal}"}\n`;
      t.is(body, text ?? '{"ok":true}');
    });
    test(`${version}, certificates required: a client certificate ${what} ${refusal === undefined ? 'receives 200' : 'is refused'}`, async (t) => {
      const { port, logged } = await start(t, cas, true);
      if (refusal === undefined) {
        t.is((await sendTlsRequest(port, '/protected', options)).status, 200);
        return;
      }
      await t.throwsAsync(sendTlsRequest(port, '/ok', options));
      t.is(logged.length, 1);
      t.regex(logged[0]?.message ?? '', /^TLS handshake failed: the client certificate was refused: /);
    });
  }
