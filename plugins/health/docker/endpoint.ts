// The address of a Docker engine.

import { isIPv6 } from 'node:net';

/** The address of an engine. */
export interface Endpoint {
  readonly socketPath?: string;
  readonly host?: string;
  readonly port?: number;
  readonly protocol: 'http:' | 'https:';
}

const ALLOWED =
  'invalid endpoint: must be unix:///path, tcp://host:port, http://host:port or https://host:port';
const DEFAULT_PORT = 2375;
const DEFAULT_TLS_PORT = 2376;
const MAX_PORT = 65_535;
/** Scheme, IPv6 address or name, port. */
const ADDRESS = /^(tcp|https?):\/\/(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9._-]+))(?::(\d{1,5}))?\/?$/;

/**
 * Parses an endpoint.
 *
 * @param hasTls whether TLS files are set; every scheme but `unix` then uses TLS, as in a peer
 * @throws Error with the allowed forms
 */
export function parseEndpoint(text: string, hasTls: boolean): Endpoint {
  const [, path] = /^unix:\/\/(\/[^\0]*)$/.exec(text) ?? [];
  if (path !== undefined) return { socketPath: path, protocol: 'http:' };
  const [, scheme = '', ipv6, name, port] = ADDRESS.exec(text) ?? [];
  const host = ipv6 ?? name;
  if (host === undefined || (ipv6 !== undefined && !isIPv6(ipv6))) throw new Error(ALLOWED);
  const isSecure = scheme === 'https' || hasTls;
  const number = port === undefined ? (isSecure ? DEFAULT_TLS_PORT : DEFAULT_PORT) : Number(port);
  if (number < 1 || number > MAX_PORT) throw new Error(ALLOWED);
  return { host, port: number, protocol: isSecure ? 'https:' : 'http:' };
}

/** The format of the option `endpoint`: empty means the endpoint of the environment. */
export function checkEndpoint(value: unknown): void {
  if (typeof value !== 'string') throw new Error(ALLOWED);
  if (value !== '') parseEndpoint(value, false);
}
