// Client root CAs that are intermediate CAs. An organization often trusts the CA that issues its certificates, but not the CA above it; for
// a node, each of its client root CAs is a trust anchor.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import type { Leaf } from '../../helpers/certificates.js';
import { makeCertificates } from '../../helpers/certificate-set.js';
import { OK_ROUTE, startServer } from '../../helpers/server.js';
import { clientOptions, sendTlsRequest } from '../../helpers/tls-client.js';

const { directory, ca, server } = makeCertificates();
const ROUTES = [{ ...OK_ROUTE, isOpen: false }];

function issue(name: string, issuer: Leaf | undefined, ...extensions: readonly string[]): Leaf {
  const leaf = { cert: join(directory, `${name}.pem`), key: join(directory, `${name}.key`) };
  const by = issuer === undefined ? [] : ['-CA', issuer.cert, '-CAkey', issuer.key];
  const args = ['req', '-x509', '-nodes', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'];
  const what = ['-subj', `/CN=${name}`, ...extensions.flatMap((text) => ['-addext', text])];
  execFileSync('openssl', [...args, ...by, ...what, '-keyout', leaf.key, '-out', leaf.cert], {
    stdio: 'ignore',
  });
  return leaf;
}
const CA = 'keyUsage=critical,keyCertSign';
const LEAF = 'basicConstraints=CA:FALSE';
const root = issue('root', undefined, CA);
const intermediate = issue('intermediate', root, CA);
const client = issue('client', intermediate, LEAF, 'extendedKeyUsage=clientAuth');
const serverOnly = issue('server-only', intermediate, LEAF, 'extendedKeyUsage=serverAuth');
const sibling = issue('sibling', root, LEAF, 'extendedKeyUsage=clientAuth');
const chained = { cert: join(directory, 'chained.pem'), key: client.key };
writeFileSync(chained.cert, readFileSync(client.cert, 'utf8') + readFileSync(intermediate.cert, 'utf8'));

for (const [what, trusted, leaf, status] of [
  ['a client of a trusted intermediate CA', [intermediate], client, 200],
  ['the same client with its chain', [intermediate], chained, 200],
  ['a client with its chain if only the root is trusted', [root], chained, 200],
  ['a client without its chain if only the root is trusted', [root], client, 401],
  ['a client of the root if only the intermediate CA is trusted', [intermediate], sibling, 401],
  ['a server certificate of a trusted intermediate CA', [intermediate], serverOnly, 401],
] as const) {
  test(`${what} receives ${status}, also after a reload`, async (t) => {
    const tls = {
      certFile: server.cert,
      keyFile: server.key,
      clientRootCAFiles: trusted.map(({ cert }) => cert),
      clientAuthRequired: false,
    };
    const { port, server: service } = await startServer(t, ROUTES, tls);
    const options = clientOptions(ca.cert, leaf);
    t.is((await sendTlsRequest(port, '/ok', options)).status, status);
    service.reloadTls();
    t.is((await sendTlsRequest(port, '/ok', options)).status, status);
  });
}
