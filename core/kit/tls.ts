// The TLS of a client, from the options that name its files. The files are checked when they are read, so that the error names the
// option.

import type { X509Certificate } from 'node:crypto';
import {
  checkServerIdentity,
  createSecureContext,
  type ConnectionOptions,
  type PeerCertificate,
} from 'node:tls';
import { readCertificates, readKeyPair } from '../common/certificates/tls-files.js';
import { OTHER_CERTIFICATE } from './reason.js';

/** The options of a TLS client; an empty path means no file. */
export interface TlsClientPaths {
  /** CAs of the server certificate. */
  readonly ca: string;
  /** The client certificate. */
  readonly cert: string;
  /** The private key of the client certificate. */
  readonly key: string;
}

/** The PEM text of the files that are set. */
export interface TlsClientFiles {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** Whether an endpoint has TLS, and its TLS files. */
export interface EndpointTls extends TlsClientPaths {
  readonly tls: boolean;
  /** The server certificate; without `ca` exactly this one is trusted. */
  readonly certificate: string;
  /** The host name in the server certificate; empty: the host of the address. */
  readonly serverName: string;
}

/**
 * Checks that a client certificate has a private key and a private key a certificate.
 *
 * @throws Error naming both options
 */
export function checkTlsClientPaths({ cert, key }: TlsClientPaths): void {
  if ((cert === '') !== (key === '')) throw new Error('options.cert and options.key must be set together');
}

/**
 * Reads the files of a TLS client.
 *
 * @throws Error naming the option, the file and what is wrong with it
 */
export function readTlsClientFiles(paths: TlsClientPaths): TlsClientFiles {
  const ca = paths.ca === '' ? undefined : readCertificates(paths.ca, 'options.ca:').pem;
  if (paths.cert === '') return { ...(ca !== undefined && { ca }) };
  const { cert, key } = readKeyPair(paths, { cert: 'options.cert:', key: 'options.key:' });
  return { ...(ca !== undefined && { ca }), cert, key };
}

/** The TLS files of an endpoint; none without TLS. */
export function filesOf({ tls, ca, certificate, cert, key }: EndpointTls): readonly string[] {
  return tls ? [ca, certificate, cert, key] : [];
}

/**
 * Reads the TLS files of an endpoint.
 *
 * @returns undefined without TLS
 * @throws Error naming the option, the file and what is wrong with it
 */
export function readEndpointTls(options: EndpointTls): ConnectionOptions | undefined {
  if (!options.tls) return undefined;
  const { certificate, serverName } = options;
  const files = readTlsClientFiles(options);
  const exact =
    options.ca === '' && certificate !== ''
      ? readCertificates(certificate, 'options.certificate:').certificates[0]
      : undefined;
  const trust = exact === undefined ? {} : { ca: exact.toString(), allowPartialTrustChain: true };
  return {
    secureContext: createSecureContext({ ...files, ...trust }),
    checkServerIdentity:
      exact === undefined ? checkServerIdentity : (_host, found) => differenceFrom(exact, found),
    ...(serverName !== '' && { servername: serverName }),
  };
}

/** Accepts exactly one certificate, whatever host names it has. A partial chain would also accept those that it has signed. */
function differenceFrom(expected: X509Certificate, found: PeerCertificate): Error | undefined {
  if (found.raw.equals(expected.raw)) return undefined;
  return Object.assign(new Error('another server certificate'), { code: OTHER_CERTIFICATE });
}
