// Creates the checkers of TCP, HTTP and CouchDB servers as the host does.

import type { ExecutionContext } from 'ava';
import type { OptionValues } from '../../core/contract/index.js';
import couchdb from '../../plugins/health/couchdb/index.js';
import http from '../../plugins/health/http/index.js';
import tcp from '../../plugins/health/tcp/index.js';
import { startChecker } from './checker.js';
import { PATIENCE } from './patience.js';

export type TcpOptions = OptionValues<typeof tcp.options>;
export type HttpOptions = OptionValues<typeof http.options>;
export type CouchDbOptions = OptionValues<typeof couchdb.options>;

const FILES = { ca: '', cert: '', key: '', serverName: '' } as const;
const ENDPOINT = { ...FILES, tls: false, certificate: '', timeout: PATIENCE } as const;

/** The options of a checker; `address` is `host:port`. */
export function tcpOptions(address: string, options: Partial<TcpOptions> = {}): TcpOptions {
  return { ...ENDPOINT, address: hostPort(address), ...options };
}

/** The options of a checker of a URL. */
export function httpOptions(url: string, options: Partial<HttpOptions> = {}): HttpOptions {
  return { ...FILES, url, method: 'GET', status: '200-299', timeout: PATIENCE, ...options };
}

/** The options of a checker; `address` is `host:port`. */
export function couchDbOptions(address: string, options: Partial<CouchDbOptions> = {}): CouchDbOptions {
  return {
    ...ENDPOINT,
    address: hostPort(address),
    slow: PATIENCE,
    username: 'admin',
    password: 'adminpw',
    ...options,
  };
}

/** The reason why a server is not healthy; undefined: it is. */
export async function tcpReason(
  t: ExecutionContext,
  address: string,
  options: Partial<TcpOptions> = {},
): Promise<string | undefined> {
  return (await (await startChecker(t, tcp, tcpOptions(address, options))).check())[''];
}

/** The reason why a URL is not healthy; undefined: it is. */
export async function httpReason(
  t: ExecutionContext,
  url: string,
  options: Partial<HttpOptions> = {},
): Promise<string | undefined> {
  return (await (await startChecker(t, http, httpOptions(url, options))).check())[''];
}

/** The reason why a CouchDB is not healthy; undefined: it is. */
export async function couchDbReason(
  t: ExecutionContext,
  address: string,
  options: Partial<CouchDbOptions> = {},
): Promise<string | undefined> {
  return (await (await startChecker(t, couchdb, couchDbOptions(address, options))).check())[''];
}

function hostPort(address: string): { host: string; port: number } {
  const colon = address.lastIndexOf(':');
  return { host: address.slice(0, colon), port: Number(address.slice(colon + 1)) };
}
