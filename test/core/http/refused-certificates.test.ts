// Client certificates that OpenSSL alone judges wrongly or refuses without a reason: several CAs with one name, broken signatures,
// name constraints, weak digests and weak keys.

import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { Leaf } from '../../helpers/certificates.js';
import { makeCertificates } from '../../helpers/certificate-set.js';
import {
  CA,
  CLIENT,
  makeCertificate,
  NO_IDS,
  type CertificateOptions,
} from '../../helpers/make-certificate.js';
import { OK_ROUTE, startServer } from '../../helpers/server.js';
import { clientOptions, sendTlsRequest } from '../../helpers/tls-client.js';

const { directory, ca, server } = makeCertificates();
const ROUTES = [OK_ROUTE, { ...OK_ROUTE, path: '/protected', isOpen: false }];
const make = (name: string, options?: CertificateOptions): Leaf => makeCertificate(directory, name, options);

const NAMESAKE = { subject: 'operations CA', extensions: CA };
const first = make('first', NAMESAKE);
const second = make('second', NAMESAKE);
const unknown = make('unknown', NAMESAKE);
const limited = make('limited', {
  ...NAMESAKE,
  extensions: [...CA, 'nameConstraints=critical,permitted;DNS:example.com'],
});
const old = make('old', { ...NAMESAKE, days: -1 });
const constrained = make('constrained', {
  extensions: [...CA, 'nameConstraints=critical,permitted;DNS:example.com'],
});
const weak = make('weak-ca', { ...NAMESAKE, key: 'rsa:1024' });

const WRONG_SIGNATURE = 'it cannot be trusted: CERT_SIGNATURE_FAILURE';
const OTHER = 'it cannot be trusted: UNSPECIFIED';
const NOT_FOR_CLIENTS = [...CLIENT.slice(0, 1), 'extendedKeyUsage=serverAuth', ...NO_IDS];

/** The certificate of the client, the trusted CAs, and why it is refused. */
const CASES: readonly (readonly [string, readonly Leaf[], Leaf, string | undefined])[] = [
  ['of the first of two CAs with one name', [first, second], make('of-first', { issuer: first }), undefined],
  [
    'of the second of two CAs with one name',
    [first, second],
    make('of-second', { issuer: second }),
    undefined,
  ],
  [
    'of the second CA, with the key usage digitalSignature',
    [first, second],
    make('signs', { issuer: second, extensions: [...CLIENT, 'keyUsage=critical,digitalSignature'] }),
    undefined,
  ],
  [
    'of the second CA, with an RSA key of 2048 bits',
    [first, second],
    make('rsa', { issuer: second, key: 'rsa:2048' }),
    undefined,
  ],
  ['of a third CA with that name', [first, second], make('of-unknown', { issuer: unknown }), WRONG_SIGNATURE],
  ['of another CA with the name of the only CA', [first], make('only', { issuer: unknown }), WRONG_SIGNATURE],
  [
    'of the second CA, for servers',
    [first, second],
    make('serves', { issuer: second, extensions: NOT_FOR_CLIENTS }),
    WRONG_SIGNATURE,
  ],
  [
    'of the second CA, with the key usage keyEncipherment',
    [first, second],
    make('encrypts', { issuer: second, extensions: [...CLIENT, 'keyUsage=keyEncipherment'] }),
    WRONG_SIGNATURE,
  ],
  [
    'of the second CA, with an unknown critical extension',
    [first, second],
    make('critical', { issuer: second, extensions: [...CLIENT, '1.2.3.4=critical,ASN1:NULL'] }),
    WRONG_SIGNATURE,
  ],
  [
    'of the second CA, signed with SHA-1',
    [first, second],
    make('digest', { issuer: second, digest: 'sha1' }),
    WRONG_SIGNATURE,
  ],
  [
    'of the second CA, expired',
    [first, second],
    make('expired', { issuer: second, days: -1 }),
    'it cannot be trusted: CERT_HAS_EXPIRED',
  ],
  [
    'of the second CA, with an RSA key of 1024 bits',
    [first, second],
    make('short', { issuer: second, key: 'rsa:1024' }),
    WRONG_SIGNATURE,
  ],
  [
    'of the second CA, itself a CA',
    [first, second],
    make('is-ca', { issuer: second, extensions: CA }),
    WRONG_SIGNATURE,
  ],
  [
    'of a second CA with name constraints',
    [first, limited],
    make('of-limited', { issuer: limited }),
    WRONG_SIGNATURE,
  ],
  ['of a second CA that has expired', [first, old], make('of-old', { issuer: old }), WRONG_SIGNATURE],
  [
    'of a second CA with an RSA key of 1024 bits',
    [make('rsa-ca', { ...NAMESAKE, key: 'rsa:2048' }), weak],
    make('of-weak', { issuer: weak }),
    WRONG_SIGNATURE,
  ],
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

test('with required certificates and two CAs with one name, a client without a certificate is refused', async (t) => {
  const { port, logged } = await start(t, [first, second], true);
  await t.throwsAsync(sendTlsRequest(port, '/ok', clientOptions(ca.cert)));
  t.deepEqual(
    logged.map(({ message }) => message),
    ['TLS handshake failed: peer did not return a certificate'],
  );
});

for (const clientAuthRequired of [false, true])
  test(`a reload can add a CA with the name of another one, and remove it: certificates ${clientAuthRequired ? 'required' : 'optional'}`, async (t) => {
    const live = join(directory, `live-${clientAuthRequired}.pem`);
    copyFileSync(ca.cert, live);
    const { port, server: service } = await start(t, [first, { cert: live, key: '' }], clientAuthRequired);
    const options = clientOptions(ca.cert, make(`reload-${clientAuthRequired}`, { issuer: second }));
    const status = async (): Promise<number> =>
      (await sendTlsRequest(port, '/protected', options).catch(() => ({ status: 401 }))).status;
    t.is(await status(), 401);
    copyFileSync(second.cert, live);
    service.reloadTls();
    t.is(await status(), 200);
    copyFileSync(ca.cert, live);
    service.reloadTls();
    t.is(await status(), 401);
  });
