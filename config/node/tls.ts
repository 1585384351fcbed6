// Chooses the certificates for the operations endpoint of a node: to verify the node, and as client certificate. All checks are offline.

import type { X509Certificate } from 'node:crypto';
import { certificatesIn, clientProblem, isValidFor } from '../../core/common/certificates/accepted.js';
import { isIssuedBy } from '../../core/common/certificates/chain.js';
import type { HostPort } from '../../core/common/text/host-port.js';
import type { WithOrigin } from '../../core/common/text/with-origin.js';
import type { NodeConfig } from './config.js';

/** The TLS options for the plugins of a node; paths are absolute, empty means none. */
export interface NodeTls {
  readonly tls: WithOrigin<boolean>;
  /** CA of the server certificate. */
  readonly ca: WithOrigin<string>;
  /** Without a CA: the server certificate. */
  readonly certificate: WithOrigin<string>;
  readonly cert: WithOrigin<string>;
  readonly key: WithOrigin<string>;
  readonly serverName: WithOrigin<string>;
}

/** A setting of the agent for one node. */
export type Override = (name: string) => WithOrigin<string>;

/** A client certificate and its key; empty values: none. */
export interface ClientFiles {
  readonly cert: WithOrigin<string>;
  readonly key: WithOrigin<string>;
}

const NONE: WithOrigin<string> = { value: '', origin: 'default' };

/**
 * Chooses the TLS files for a node.
 *
 * @param override returns a setting of the agent for the node; empty: not set
 * @param host the host of the address of the node
 */
export function nodeTls(config: NodeConfig, override: Override, { host }: HostPort): NodeTls {
  const tls = config.get<boolean>('operations.tls.enabled');
  if (!tls.value) return { tls, ca: NONE, certificate: NONE, cert: NONE, key: NONE, serverName: NONE };
  const trust = serverTrust(config, override('ca'));
  return {
    tls,
    ...trust,
    ...clientFiles(config, override),
    serverName: serverName(config, override('serverName'), trust.ca.value === '' ? undefined : host),
  };
}

/** The TLS CA of the node if it issued the certificate of the operations endpoint, else exactly that certificate. */
function serverTrust(config: NodeConfig, ca: WithOrigin<string>): Pick<NodeTls, 'ca' | 'certificate'> {
  if (ca.value !== '') return { ca, certificate: NONE };
  const certificate = config.get<string>('operations.tls.cert.file');
  const chain = certificatesIn(certificate.value);
  const cas = tlsCAs(config);
  // If the certificate cannot be read, perhaps only the node may read it: the CA is the best guess.
  const issuer =
    chain.length === 0 ? cas[0] : cas.find(({ value }) => isIssuedBy(chain, certificatesIn(value)));
  return issuer === undefined ? { ca: NONE, certificate } : { ca: issuer, certificate: NONE };
}

function tlsCAs(config: NodeConfig): WithOrigin<string>[] {
  const { value, origin } = config.get<readonly string[]>('tls.rootCAs');
  return [config.get<string>('tls.rootCert'), ...value.map((file) => ({ value: file, origin }))].filter(
    (ca) => certificatesIn(ca.value).length > 0,
  );
}

/** The client certificate in the settings of the agent for a node. */
export const ownClient = (override: Override): ClientFiles => ({
  cert: override('cert'),
  key: override('key'),
});

/** Returns true if the settings name a client certificate. */
export const isNamed = ({ cert, key }: ClientFiles): boolean => cert.value !== '' || key.value !== '';

/**
 * Chooses the client certificate for the Admin endpoint of an orderer: the certificate in our settings if a client CA of the endpoint issued
 * it, else the certificate of the endpoint itself.
 */
export function adminClient(config: NodeConfig, ours: ClientFiles): ClientFiles {
  const chain = certificatesIn(ours.cert.value);
  const cas = config.get<readonly string[]>('admin.tls.clientRootCAs').value.flatMap(certificatesIn);
  // If the CAs or the certificate cannot be read, it counts as accepted.
  const isForeign = chain.length > 0 && cas.length > 0 && !isIssuedBy(chain, cas);
  return isNamed(ours) && !isForeign
    ? ours
    : { cert: config.get<string>('admin.tls.certificate'), key: config.get<string>('admin.tls.privateKey') };
}

/** The client certificate in our settings, else the first certificate of the node that it accepts: of its operations endpoint or its TLS. */
function clientFiles(config: NodeConfig, override: Override): ClientFiles {
  const ours = ownClient(override);
  if (isNamed(ours)) return ours;
  const pairs: readonly (readonly [string, string])[] = [
    ['operations.tls.cert.file', 'operations.tls.key.file'],
    ['tls.clientCert', 'tls.clientKey'],
    ['tls.cert', 'tls.key'],
  ];
  const candidates = pairs
    .map(([cert, key]) => ({ cert: config.get<string>(cert), key: config.get<string>(key) }))
    .filter(({ cert, key }) => cert.value !== '' && key.value !== '');
  const cas = acceptedCAs(config);
  return (
    candidates.find(({ cert }) => clientProblem(certificatesIn(cert.value), cas) === undefined) ??
    candidates[0] ?? { cert: NONE, key: NONE }
  );
}

function acceptedCAs(config: NodeConfig): ReturnType<typeof certificatesIn> {
  return config.get<readonly string[]>('operations.tls.clientRootCAs.files').value.flatMap(certificatesIn);
}

/**
 * The name to verify in the server certificate: a node that listens on 127.0.0.1 often has a certificate only for its host name.
 *
 * @param host undefined: exactly one certificate is trusted, whatever its names are
 */
function serverName(
  config: NodeConfig,
  name: WithOrigin<string>,
  host: string | undefined,
): WithOrigin<string> {
  if (name.value !== '' || host === undefined) return name;
  const { value, origin } = config.get<string>('operations.tls.cert.file');
  const [certificate] = certificatesIn(value);
  return certificate === undefined || isValidFor(certificate, host)
    ? NONE
    : { value: firstHostName(certificate), origin };
}

/** The first host name of a certificate without a wildcard; empty if there is none. */
function firstHostName({ subjectAltName = '' }: X509Certificate): string {
  return /(?:^|, )DNS:([A-Za-z0-9._-]+)(?=,|$)/.exec(subjectAltName)?.[1] ?? '';
}
