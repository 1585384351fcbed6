// Checks the TLS files of a node: its service, its operations endpoint, and for an orderer its Admin endpoint and its cluster (Fabric:
// orderer/common/server/main.go, core/peer/config.go, internal/pkg/comm/server.go, fabric-lib-go/common/operations). Faults that only make
// handshakes fail, such as an expired certificate, are warnings.

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { decodeAllPem, encodePem } from '../../common/certificates/pem.js';
import type { NodeValues } from '../../../config/index.js';
import type { WithOrigin } from '../../common/text/with-origin.js';
import { readRegularBytes } from '../../common/files/regular-file.js';
import { finding, type Finding } from './cause.js';
import type { ProgramDecoders } from './decoders.js';
import { fileError } from './files.js';
import { channelNames } from './heights.js';

/** Largest file, in bytes. */
const MAX_FILE_SIZE = 1024 * 1024;

/** A file for TLS, and the message of the program if it cannot be read. */
interface TlsFile extends WithOrigin<string> {
  readonly shown: string;
  readonly what: string;
  readonly prints: (problem: string) => string;
}

/** A certificate and its key, and the message of the program if they do not match. */
interface Pair {
  readonly cert: WithOrigin<string>;
  readonly key: WithOrigin<string>;
  readonly prints: (problem: string) => string;
}

/** The TLS files of a part of a node, in the order in which the program reads them. */
interface TlsPart {
  readonly name: string;
  readonly files: readonly TlsFile[];
  readonly pairs: readonly Pair[];
  /** Files with CAs; the program needs a certificate in each of them. */
  readonly clientCAs?: { readonly paths: WithOrigin<readonly string[]>; readonly prints: string };
}

/** Startup errors of the TLS files of a node. */
export function tlsCauses(node: NodeValues<ProgramDecoders>): Finding[] {
  const parts = node.kind === 'peer' ? peerParts(node) : ordererParts(node);
  return parts.flatMap(partCauses);
}

function partCauses({ name: part, files, pairs, clientCAs }: TlsPart): Finding[] {
  const missing = files.flatMap(({ value: path, shown, origin, what, prints }): Finding[] => {
    const problem = fileError(shown, () => readRegularBytes(path, MAX_FILE_SIZE));
    return problem === undefined
      ? []
      : [finding('tls-file-missing', origin, { part, what, path, message: prints(problem) })];
  });
  if (missing.length > 0) return missing;
  const faults = pairs.flatMap((pair) => pairFaults(part, pair));
  const expired = pairs.flatMap((pair) => expiredCauses(part, pair));
  const empty = clientCAs?.paths.value.find((path) => certificatesIn(path).length === 0);
  if (clientCAs !== undefined && empty !== undefined && faults.length === 0)
    faults.push(
      finding('tls-client-ca-empty', clientCAs.paths.origin, {
        part,
        path: empty,
        message: clientCAs.prints,
      }),
    );
  return [...faults, ...expired];
}

function pairFaults(part: string, { cert, key, prints }: Pair): Finding[] {
  const problem = pairProblem(bytesOf(cert.value), bytesOf(key.value));
  if (problem === undefined) return [];
  const data = { part, certificate: cert.value, key: key.value, message: prints(problem.prints) };
  if (problem.fault === 'mismatch') return [finding('tls-pair-mismatch', key.origin, data)];
  return [finding('tls-file-invalid', problem.fault === 'certificate' ? cert.origin : key.origin, data)];
}

/** A warning for a certificate that has expired, if it can be used with its key. */
function expiredCauses(part: string, { cert, key }: Pair): Finding[] {
  if (pairProblem(bytesOf(cert.value), bytesOf(key.value)) !== undefined) return [];
  const [certificate] = certificatesIn(cert.value);
  const until = new Date(certificate?.validTo ?? NaN);
  return until.getTime() < Date.now()
    ? [finding('tls-expired', cert.origin, { part, path: cert.value, until })]
    : [];
}

const bytesOf = (path: string): Uint8Array => readRegularBytes(path, MAX_FILE_SIZE);

function certificatesIn(path: string): X509Certificate[] {
  try {
    return decodeAllPem(bytesOf(path), 100)
      .filter(({ label }) => label === 'CERTIFICATE')
      .map(({ bytes }) => new X509Certificate(bytes));
  } catch {
    return [];
  }
}

/** Why Go's `tls.X509KeyPair` refuses a pair. */
interface PairProblem {
  /** The invalid file, or that the files do not belong together. */
  readonly fault: 'certificate' | 'key' | 'mismatch';
  /** In the words of Go. */
  readonly prints: string;
}

/** Why Go's `tls.X509KeyPair` refuses a pair; undefined if it does not. */
function pairProblem(cert: Uint8Array, key: Uint8Array): PairProblem | undefined {
  const certificates = decodeAllPem(cert);
  const keys = decodeAllPem(key);
  const ofCertificate = (prints: string): PairProblem => ({ fault: 'certificate', prints });
  const ofKey = (prints: string): PairProblem => ({ fault: 'key', prints });
  if (certificates.length === 0)
    return ofCertificate('tls: failed to find any PEM data in certificate input');
  const first = certificates.find(({ label }) => label === 'CERTIFICATE');
  if (first === undefined)
    return ofCertificate(
      certificates.some(({ label }) => label.endsWith('PRIVATE KEY'))
        ? 'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched'
        : 'tls: failed to find "CERTIFICATE" PEM block in certificate input',
    );
  if (keys.length === 0) return ofKey('tls: failed to find any PEM data in key input');
  const own = keys.find(({ label }) => label === 'PRIVATE KEY' || label.endsWith(' PRIVATE KEY'));
  if (own === undefined)
    return ofKey('tls: found a certificate rather than a key in the PEM for the private key');
  let read: X509Certificate;
  try {
    read = new X509Certificate(first.bytes);
  } catch {
    return ofCertificate('x509: ');
  }
  try {
    const privateKey = createPrivateKey(encodePem(own.label, own.bytes));
    if (read.checkPrivateKey(privateKey)) return undefined;
    return {
      fault: 'mismatch',
      prints:
        read.publicKey.asymmetricKeyType === privateKey.asymmetricKeyType
          ? 'tls: private key does not match public key'
          : 'tls: private key type does not match public key type',
    };
  } catch {
    return ofKey('tls: failed to parse private key');
  }
}

function ordererParts(node: NodeValues<ProgramDecoders>): TlsPart[] {
  const tls = node.decoders.namesTls ? 'TLS ' : '';
  const parts: TlsPart[] = [operationsPart(node)];
  if (node.isTrue('General.TLS.Enabled')) {
    const cert = node.path('General.TLS.Certificate');
    const key = node.path('General.TLS.PrivateKey');
    const clientCAs = node.paths('General.TLS.ClientRootCAs');
    const isVerified = node.isTrue('General.TLS.ClientAuthRequired');
    const ca = (name: string, { all }: ReturnType<NodeValues['paths']>): TlsFile[] =>
      all.map((path) => ({
        ...path,
        what: 'CA',
        prints: (problem) => `Failed to load ${tls}${name} file '${problem}' (${path.value})`,
      }));
    parts.push({
      name: 'the service (General.TLS)',
      files: [
        {
          ...cert,
          what: 'certificate',
          prints: (problem) => `Failed to load server ${tls}Certificate file '${cert.value}' (${problem})`,
        },
        {
          ...key,
          what: 'private key',
          prints: (problem) => `Failed to load ${tls}PrivateKey file '${key.value}' (${problem})`,
        },
        ...ca('ServerRootCAs', node.paths('General.TLS.RootCAs')),
        ...(isVerified ? ca('ClientRootCAs', clientCAs) : []),
      ],
      pairs: [{ cert, key, prints: (problem) => `Failed to return new GRPC server: ${problem}` }],
      ...(isVerified && {
        clientCAs: {
          paths: clientCAs,
          prints: 'Failed to return new GRPC server: no client root certificates found',
        },
      }),
    });
  }
  return [...parts, ...clusterParts(node), ...adminParts(node)];
}

function clusterParts(node: NodeValues): TlsPart[] {
  const cert = node.path('General.Cluster.ClientCertificate');
  const key = node.path('General.Cluster.ClientPrivateKey');
  const cas = node.paths('General.Cluster.RootCAs');
  const own = {
    cert: node.path('General.Cluster.ServerCertificate'),
    key: node.path('General.Cluster.ServerPrivateKey'),
  };
  const client: TlsPart = {
    name: 'the cluster (General.Cluster)',
    files: [
      {
        ...cert,
        what: 'client certificate',
        prints: (problem) => `Failed to load client TLS certificate file '${cert.value}' (${problem})`,
      },
      {
        ...key,
        what: 'client key',
        prints: (problem) => `Failed to load client TLS key file '${key.value}' (${problem})`,
      },
      ...cas.all.map((path) => ({
        ...path,
        what: 'CA',
        prints: (problem: string) => `Failed to load ServerRootCAs file '${path.value}' (${problem})`,
      })),
    ],
    pairs: [],
  };
  // An orderer without channels does not need it.
  const clients = cert.value === '' && channelNames(node).length === 0 ? [] : [client];
  if (own.cert.value === '' || own.key.value === '') return clients;
  const server: TlsPart = {
    name: 'the listener of the cluster (General.Cluster)',
    files: [
      {
        ...own.cert,
        what: 'certificate',
        prints: (problem) =>
          `Failed to load cluster server certificate from '${own.cert.shown}' (${problem})`,
      },
      {
        ...own.key,
        what: 'key',
        prints: (problem) => `Failed to load cluster server key from '${own.key.shown}' (${problem})`,
      },
    ],
    pairs: [{ ...own, prints: (problem) => problem }],
  };
  return [...clients, server];
}

const endpointPart = (
  node: NodeValues,
  name: string,
  prefix: string,
  keys: { readonly cert: string; readonly key: string; readonly cas: string },
): TlsPart => {
  const [cert, key, cas] = [node.path(keys.cert), node.path(keys.key), node.paths(keys.cas)];
  const prints = (problem: string): string => `${prefix}: ${problem}`;
  return {
    name,
    files: [
      { ...cert, what: 'certificate', prints },
      { ...key, what: 'private key', prints },
      ...cas.all.map((path) => ({ ...path, what: 'CA', prints })),
    ],
    pairs: [{ cert, key, prints }],
  };
};

function operationsPart(node: NodeValues): TlsPart {
  const isPeer = node.kind === 'peer';
  const name = 'the operations endpoint';
  if (!node.isTrue(isPeer ? 'operations.tls.enabled' : 'Operations.TLS.Enabled'))
    return { name, files: [], pairs: [] };
  return isPeer
    ? endpointPart(node, name, 'failed to initialize operations subsystem', {
        cert: 'operations.tls.cert.file',
        key: 'operations.tls.key.file',
        cas: 'operations.tls.clientRootCAs.files',
      })
    : endpointPart(node, name, 'failed to start operations subsystem', {
        cert: 'Operations.TLS.Certificate',
        key: 'Operations.TLS.PrivateKey',
        cas: 'Operations.TLS.ClientRootCAs',
      });
}

function adminParts(node: NodeValues): TlsPart[] {
  if (!node.isTrue('Admin.TLS.Enabled')) return [];
  return [
    endpointPart(node, 'the Admin endpoint', 'failed to start admin server', {
      cert: 'Admin.TLS.Certificate',
      key: 'Admin.TLS.PrivateKey',
      cas: 'Admin.TLS.ClientRootCAs',
    }),
  ];
}

function peerParts(node: NodeValues): TlsPart[] {
  if (!node.isTrue('peer.tls.enabled')) return [operationsPart(node)];
  const cert = node.path('peer.tls.cert.file');
  const key = node.path('peer.tls.key.file');
  const ca = node.path('peer.tls.rootcert.file');
  const cas = node.paths('peer.tls.clientRootCAs.files');
  const load = (what: string) => (problem: string) =>
    `Error loading secure config for peer (error loading ${what} (${problem}))`;
  const client = {
    cert: node.path('peer.tls.clientCert.file'),
    key: node.path('peer.tls.clientKey.file'),
    prints: (problem: string) =>
      `Failed to set TLS client certificate (error parsing client TLS key pair: ${problem}`,
  };
  const isOwn = client.cert.value !== '' && client.key.value !== '';
  const service: TlsPart = {
    name: 'the service (peer.tls)',
    files: [
      { ...key, what: 'private key', prints: load('TLS key') },
      { ...cert, what: 'certificate', prints: load('TLS certificate') },
      ...(ca.value === '' ? [] : [{ ...ca, what: 'CA', prints: load('TLS root certificate') }]),
      ...(node.isTrue('peer.tls.clientAuthRequired')
        ? cas.all.map((path) => ({ ...path, what: 'CA of clients', prints: load('client root CAs') }))
        : []),
    ],
    pairs: [
      {
        cert,
        key,
        prints: isOwn ? (problem) => `Failed to create peer server (${problem}` : client.prints,
      },
    ],
    ...(node.isTrue('peer.tls.clientAuthRequired') && {
      clientCAs: {
        paths: cas,
        prints: 'Failed to create peer server (no client root certificates found)',
      },
    }),
  };
  if (!isOwn) return [operationsPart(node), service];
  const own: TlsPart = {
    name: 'the client certificate of the peer (peer.tls.clientCert)',
    files: [
      {
        ...client.key,
        what: 'key',
        prints: (problem) =>
          `Failed to set TLS client certificate (error loading client TLS key: ${problem})`,
      },
      {
        ...client.cert,
        what: 'certificate',
        prints: (problem) =>
          `Failed to set TLS client certificate (error loading client TLS certificate: ${problem})`,
      },
    ],
    pairs: [client],
  };
  return [operationsPart(node), service, own];
}
