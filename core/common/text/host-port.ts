// Addresses of the form `host:port`.

import { isIPv4, isIPv6 } from 'node:net';

/** An address to listen on or to connect to. */
export interface HostPort {
  /** A name or an address without brackets; empty for all addresses. */
  readonly host: string;
  /** 0 to 65535; 0 lets the system choose. */
  readonly port: number;
}

const ALLOWED = 'must be host:port, such as 127.0.0.1:9443, :9443 for all addresses, or [::1]:9443';

/**
 * Parses `host:port`. The host may be empty, a name, an IPv4 address or an IPv6 address in brackets.
 *
 * @throws Error saying what is allowed
 */
export function parseHostPort(value: unknown): HostPort {
  const match = typeof value === 'string' ? /^(?:\[([^\]]*)\]|([^:[\]]*)):([^:]*)$/.exec(value) : null;
  if (match === null) throw new Error(ALLOWED);
  const [, bracketed, plain = '', port = ''] = match;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65535)
    throw new Error(`${ALLOWED}; the port must be a number from 0 to 65535`);
  if (bracketed !== undefined && !isIPv6(bracketed))
    throw new Error(`${ALLOWED}; only an IPv6 address may be in brackets`);
  if (/^[\d.]+$/.test(plain) && !isIPv4(plain))
    throw new Error(`${ALLOWED}; ${plain} is not an IPv4 address`);
  if (!/^[A-Za-z0-9._-]*$/.test(plain))
    throw new Error(`${ALLOWED}; the host contains a character that host names cannot have`);
  return { host: bracketed ?? plain, port: Number(port) };
}

/** Formats an address so that {@link parseHostPort} can parse it. */
export function formatHostPort({ host, port }: HostPort): string {
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Whether a host means all addresses of the machine. */
export const isAnyHost = (host: string): boolean => ['', '0.0.0.0', '::'].includes(host);
