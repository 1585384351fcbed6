// An organisation often trusts the authority that issues its certificates, and not the one above it. A node takes every
// certificate among its client root CAs for a root.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import type { Leaf } from '../../helpers/certificates.js';
import { makeCertificates } from '../../helpers/certificate-set.js';
import { OK_ROUTE, startServer } from '../../helpers/server.js';
import { askTls, clientOptions } from '../../helpers/tls-client.js';

const { folder, authority, server } = makeCertificates();
const ROUTES = [{ ...OK_ROUTE, isOpen: false }];

function issue(name: string, issuer: Leaf | undefined, ...extensions: readonly string[]): Leaf {
  const leaf = { cert: join(folder, `${name}.pem`), key: join(folder, `${name}.key`) };
  const by = issuer === undefined ? [] : ['-CA', issuer.cert, '-CAkey', issuer.key];
  const args = ['req', '-x509', '-nodes', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'];
  const what = ['-subj', `/CN=${name}`, ...extensions.flatMap((text) => ['-addext', text])];
  execFileSync('openssl', [...args, ...by, ...what, '-keyout', leaf.key, '-out', leaf.cert], {
    stdio: 'ignore',
  });
  return leaf;
}
const AUTHORITY = 'keyUsage=critical,keyCertSign';
const root = issue('root', undefined, AUTHORITY);
const intermediate = issue('intermediate', root, AUTHORITY);
const client = issue('client', intermediate, 'basicConstraints=CA:FALSE', 'extendedKeyUsage=clientAuth');
const sibling = issue('sibling', root, 'basicConstraints=CA:FALSE', 'extendedKeyUsage=clientAuth');
const chained = { cert: join(folder, 'chained.pem'), key: client.key };
writeFileSync(chained.cert, readFileSync(client.cert, 'utf8') + readFileSync(intermediate.cert, 'utf8'));

for (const [what, trusted, leaf, status] of [
  ['a client of an intermediate authority that is trusted by itself', [intermediate], client, 200],
  ['the same client with its chain', [intermediate], chained, 200],
  ['a client with its chain where only the root is trusted', [root], chained, 200],
  ['a client without its chain where only the root is trusted', [root], client, 401],
  ['a client of the root where only the intermediate authority is trusted', [intermediate], sibling, 401],
] as const) {
  test(`${what} gets ${status}, also once the files are read again`, async (t) => {
    const tls = {
      certFile: server.cert,
      keyFile: server.key,
      clientRootCAFiles: trusted.map(({ cert }) => cert),
      clientAuthRequired: false,
    };
    const { port, server: service } = await startServer(t, ROUTES, tls);
    const options = clientOptions(authority.cert, leaf);
    t.is((await askTls(port, '/ok', options)).status, status);
    service.reloadTls();
    t.is((await askTls(port, '/ok', options)).status, status);
  });
}
