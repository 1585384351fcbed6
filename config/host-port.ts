import { isIPv4, isIPv6 } from 'node:net';

/** An address to listen on or to connect to. */
export interface HostPort {
  /** A name or an address without brackets; empty for all addresses. */
  readonly host: string;
  /** 0 to 65535; 0 lets the system choose. */
  readonly port: number;
}

const FAULT = 'must be host:port, such as 127.0.0.1:9443, :9443 for all addresses, or [::1]:9443';

/**
 * Reads `host:port`; the host may be empty, a name, an IPv4 address or an IPv6 address in brackets.
 *
 * @throws Error saying what is wrong with the text
 */
export function parseHostPort(value: unknown): HostPort {
  const match = typeof value === 'string' ? /^(?:\[([^\]]*)\]|([^:[\]]*)):([^:]*)$/.exec(value) : null;
  if (match === null) throw new Error(FAULT);
  const [, bracketed, plain = '', port = ''] = match;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65535)
    throw new Error(`${FAULT}; the port is a number from 0 to 65535`);
  if (bracketed !== undefined && !isIPv6(bracketed))
    throw new Error(`${FAULT}; the brackets hold an IPv6 address`);
  if (/^[\d.]+$/.test(plain) && !isIPv4(plain)) throw new Error(`${FAULT}; ${plain} is not an IPv4 address`);
  if (!/^[A-Za-z0-9._-]*$/.test(plain))
    throw new Error(`${FAULT}; the host has a character that no host name has`);
  return { host: bracketed ?? plain, port: Number(port) };
}

/** Writes an address so that {@link parseHostPort} reads it back. */
export function formatHostPort({ host, port }: HostPort): string {
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
}
