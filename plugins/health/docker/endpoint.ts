// Docker endpoints: where an engine listens.

import { isIPv6 } from 'node:net';

/** How to reach an engine; the parts dockerode wants, given apart. */
export interface Endpoint {
  readonly socketPath?: string;
  readonly host?: string;
  readonly port?: number;
  readonly protocol?: 'http' | 'https';
}

const ALLOWED = 'must be unix:///path, tcp://host:port, http://host:port or https://host:port';
const DEFAULT_PORT = 2375;
const DEFAULT_TLS_PORT = 2376;
const MAX_PORT = 65_535;
/** Scheme, IPv6 address or name, port. */
const ADDRESS = /^(tcp|https?):\/\/(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9._-]+))(?::(\d{1,5}))?\/?$/;

/**
 * Reads an endpoint.
 *
 * @param hasTls whether TLS files are given: every scheme but `unix` then means TLS, as it does for a peer
 * @throws Error saying what is allowed
 */
export function parseEndpoint(text: string, hasTls: boolean): Endpoint {
  const [, path] = /^unix:\/\/(\/[^\0]*)$/.exec(text) ?? [];
  if (path !== undefined) return { socketPath: path };
  const [, scheme = '', ipv6, name, port] = ADDRESS.exec(text) ?? [];
  const host = ipv6 ?? name;
  if (host === undefined || (ipv6 !== undefined && !isIPv6(ipv6))) throw new Error(ALLOWED);
  const isSecure = scheme === 'https' || hasTls;
  const number = port === undefined ? (isSecure ? DEFAULT_TLS_PORT : DEFAULT_PORT) : Number(port);
  if (number < 1 || number > MAX_PORT) throw new Error(ALLOWED);
  return { host, port: number, protocol: isSecure ? 'https' : 'http' };
}

/** The format of the option `endpoint`; the empty text means whatever the environment of the process says. */
export function checkEndpoint(value: unknown): void {
  if (typeof value !== 'string') throw new Error(ALLOWED);
  if (value !== '') parseEndpoint(value, false);
}
