// The TLS of a client, from the options of a plugin.

import type { X509Certificate } from 'node:crypto';
import {
  checkServerIdentity,
  createSecureContext,
  type ConnectionOptions,
  type PeerCertificate,
} from 'node:tls';
import { readCertificates } from '../../core/common/certificates/tls-files.js';
import type { OperationsOptions } from './operations-options.js';
import { OTHER_CERTIFICATE } from './reason.js';
import { readTlsClientFiles } from './tls-files.js';

/** Whether an endpoint has TLS, and the TLS files. */
export type EndpointTls = Pick<
  OperationsOptions,
  'tls' | 'ca' | 'certificate' | 'cert' | 'key' | 'serverName'
>;

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
