// The options of a plugin that connects to the operations endpoint of a node.

import type { OptionSchema, OptionValues } from '../contract/index.js';
import { checkTlsClientPaths } from './tls.js';

/** Where the endpoint is, and its TLS files. */
export const OPERATIONS_OPTIONS = {
  address: { format: 'host-port', doc: 'address of the operations endpoint of the node' },
  tls: { format: Boolean, default: false, doc: 'whether the endpoint uses TLS' },
  ca: { format: 'path', default: '', doc: 'PEM file with the CA of the server certificate' },
  certificate: {
    format: 'path',
    default: '',
    doc: 'PEM file with the server certificate; without `ca` exactly this certificate is trusted',
  },
  cert: { format: 'path', default: '', doc: 'PEM file with the client certificate' },
  key: { format: 'path', default: '', doc: 'PEM file with the private key of the client certificate' },
  serverName: {
    format: String,
    default: '',
    doc: 'host name in the server certificate; empty: the host of `address`',
  },
} as const satisfies OptionSchema;

/** The values of {@link OPERATIONS_OPTIONS}. */
export type OperationsOptions = OptionValues<typeof OPERATIONS_OPTIONS>;

/**
 * Checks what the option schema cannot.
 *
 * @throws Error naming the options
 */
export function checkOperationsOptions(options: OperationsOptions): void {
  const { host, port } = options.address;
  if (host === '' || port === 0)
    throw new Error(`options.address: must be a host and a port to connect to: ${host}:${port}`);
  checkTlsClientPaths(options);
}
