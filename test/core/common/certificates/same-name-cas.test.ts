// Why core/common/certificates/same-name-cas.ts exists: with every option of Node, a client of one of two CAs with the same name is
// refused, unless the certificates have key identifiers.

import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type TLSSocket, type TlsOptions } from 'node:tls';
import { X509Certificate } from 'node:crypto';
import test from 'ava';
import { encodePem } from '../../../../core/common/certificates/pem.js';
import { isVerified } from '../../../../core/common/certificates/same-name-cas.js';
import { makeCertificates } from '../../../helpers/certificate-set.js';
import type { Leaf } from '../../../helpers/certificates.js';
import { CA, makeCertificate, NO_IDS } from '../../../helpers/make-certificate.js';

const { directory, server } = makeCertificates();

/** Two CAs with the same name, and a client of each. */
function makePair(prefix: string, ids: readonly string[]): readonly { ca: Leaf; client: Leaf }[] {
  const caExtensions = [...CA.filter((extension) => !NO_IDS.includes(extension)), ...ids];
  const extensions = ['basicConstraints=CA:FALSE', 'extendedKeyUsage=clientAuth', ...ids];
  return ['first', 'second'].map((each) => {
    const name = `${prefix}-${each}`;
    const ca = makeCertificate(directory, name, { subject: `${prefix} CA`, extensions: caExtensions });
    return { ca, client: makeCertificate(directory, `${name}-client`, { issuer: ca, extensions }) };
  });
}

const WITHOUT_IDS = makePair('same', NO_IDS);
const WITH_IDS = makePair('identified', ['subjectKeyIdentifier=hash', 'authorityKeyIdentifier=keyid']);

const read = ({ cert }: Leaf): string => readFileSync(cert, 'utf8');
/** A trust anchor of OpenSSL: the certificate, then that it is trusted for TLS clients. */
const trusted = (ca: Leaf): string =>
  encodePem(
    'TRUSTED CERTIFICATE',
    Buffer.concat([new X509Certificate(read(ca)).raw, Buffer.from('300c300a06082b06010505070302', 'hex')]),
  );

/** Not in the types of Node 20. */
const PARTIAL = { allowPartialTrustChain: true };
/** The ways to give Node several CAs. */
const WAYS: Readonly<Record<string, (cas: readonly Leaf[]) => TlsOptions>> = {
  'a list': (cas) => ({ ca: cas.map(read) }),
  'one text': (cas) => ({ ca: cas.map(read).join('') }),
  allowPartialTrustChain: (cas) => ({ ca: cas.map(read), ...PARTIAL }),
  'trusted certificates': (cas) => ({ ca: cas.map(trusted) }),
  'TLS 1.2': (cas) => ({ ca: cas.map(read), maxVersion: 'TLSv1.2' }),
};

/** Whether a server accepts a client: by Node, and by the rules for several CAs with the same name. */
async function accepts(options: TlsOptions, client: Leaf, cas: readonly Leaf[]) {
  const listener = createServer({
    ...options,
    key: readFileSync(server.key),
    cert: readFileSync(server.cert),
    requestCert: true,
    rejectUnauthorized: false,
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const accepted = once(listener, 'secureConnection') as Promise<[TLSSocket]>;
  const socket = connect({
    port,
    host: '127.0.0.1',
    key: readFileSync(client.key),
    cert: readFileSync(client.cert),
    rejectUnauthorized: false,
  });
  const [peer] = await accepted;
  const certificate = new X509Certificate(peer.getPeerCertificate().raw);
  const byRules = isVerified(
    peer,
    certificate,
    cas.map((ca) => new X509Certificate(read(ca))),
  );
  const byNode = peer.authorized;
  peer.destroy();
  socket.destroy();
  listener.close();
  return { byNode, byRules };
}

for (const [name, optionsOf] of Object.entries(WAYS))
  for (const isReversed of [false, true])
    test(`${name}${isReversed ? ', in reverse order' : ''}: Node alone refuses a client of a CA without key identifiers`, async (t) => {
      for (const [pair, expected] of [
        [WITHOUT_IDS, 1],
        [WITH_IDS, 2],
      ] as const) {
        const cas = pair.map(({ ca }) => ca);
        const options = optionsOf(isReversed ? cas.toReversed() : cas);
        const results = await Promise.all(pair.map(({ client }) => accepts(options, client, cas)));
        t.is(results.filter(({ byNode }) => byNode).length, expected);
        t.true(results.every(({ byRules }) => byRules));
      }
    });
