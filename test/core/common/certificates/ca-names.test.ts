// Client CAs with the same name: OpenSSL, and so Node with all its options, verifies the clients of only one of them, unless the
// certificates have key identifiers. Such CAs are refused.

import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type TLSSocket, type TlsOptions } from 'node:tls';
import { X509Certificate } from 'node:crypto';
import test from 'ava';
import { checkCaNames } from '../../../../core/common/certificates/ca-names.js';
import { encodePem } from '../../../../core/common/certificates/pem.js';
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

/** Whether Node accepts a client. */
async function accepts(options: TlsOptions, client: Leaf): Promise<boolean> {
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
  // Node 20.19 also reports the failed verification as an error of a connection that it keeps.
  socket.on('error', () => undefined);
  const [peer] = await accepted;
  peer.on('error', () => undefined);
  const isAuthorized = peer.authorized;
  peer.destroy();
  socket.destroy();
  listener.close();
  return isAuthorized;
}

for (const [name, optionsOf] of Object.entries(WAYS))
  for (const isReversed of [false, true])
    test(`${name}${isReversed ? ', in reverse order' : ''}: Node refuses a client of a CA without key identifiers`, async (t) => {
      for (const [pair, expected] of [
        [WITHOUT_IDS, 1],
        [WITH_IDS, 2],
      ] as const) {
        const cas = pair.map(({ ca }) => ca);
        const options = optionsOf(isReversed ? cas.toReversed() : cas);
        const results = await Promise.all(pair.map(({ client }) => accepts(options, client)));
        t.is(results.filter((isAccepted) => isAccepted).length, expected);
      }
    });

const casOf = (leaves: readonly Leaf[]): X509Certificate[] =>
  leaves.map((leaf) => new X509Certificate(read(leaf)));
const [one, two] = WITHOUT_IDS.map(({ ca }) => ca) as [Leaf, Leaf];
const identified = makeCertificate(directory, 'identified-same', {
  subject: 'same CA',
  extensions: [...CA.filter((extension) => !NO_IDS.includes(extension)), 'subjectKeyIdentifier=hash'],
});

for (const [what, cas] of [
  ['with key identifiers', WITH_IDS.map(({ ca }) => ca)],
  ['of which one is listed twice', [one, one]],
  ['with different names', [one, WITH_IDS[0]!.ca]],
] as const)
  test(`CAs ${what} are accepted`, (t) => {
    t.notThrows(() => checkCaNames(casOf(cas), 'client CAs'));
  });

for (const [what, cas] of [
  ['without key identifiers', [one, two]],
  ['of which one has a key identifier', [identified, two]],
] as const)
  test(`CAs with the same name ${what} are refused`, (t) => {
    t.throws(() => checkCaNames(casOf(cas), 'client CAs'), {
      message:
        'client CAs: two CAs have the name CN=same CA and different keys, and one has no subject key identifier, so that clients of only one of them could be verified; issue one CA again with another name or with a subject key identifier, or remove it',
    });
  });
