// Which consenter an orderer is by the address at which it listens, if its certificate belongs to none: after its key was changed before the
// channel, it only follows the channel.

import type { X509Certificate } from 'node:crypto';
import { isAnyHost } from '../../../core/kit/internal/index.js';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

/**
 * The address among those of the consenters that is the own address of an orderer; undefined: there is none, or several.
 *
 * @param listen `host:port` at which the orderer listens for other orderers
 * @param certificate its TLS server certificate; undefined: unknown
 */
export function consenterAt(
  listen: string,
  addresses: readonly string[],
  certificate: X509Certificate | undefined,
): string | undefined {
  const [ownHost, ownPort] = partsOf(listen);
  const found = addresses.filter((address) => {
    const [host, port] = partsOf(address);
    return port === ownPort && (isAddressOf(ownHost, host) || isNamed(certificate, host));
  });
  return found.length === 1 ? found[0] : undefined;
}

/** The host, without the brackets of an IPv6 address, and the port. */
function partsOf(address: string): [host: string, port: string] {
  const colon = address.lastIndexOf(':');
  return [address.slice(0, colon).replaceAll(/^\[|\]$/g, ''), address.slice(colon + 1)];
}

/** Returns true if a host is the one at which the orderer listens, or if it listens on all addresses, an address of this computer. */
function isAddressOf(listen: string, host: string): boolean {
  if (!isAnyHost(listen)) return listen.toLowerCase() === host.toLowerCase();
  return Object.values(networkInterfaces()).some((each) => each?.some(({ address }) => address === host));
}

/** Returns true if a certificate has a host among its names. Several orderers may share a wildcard, so it does not count. */
const isNamed = (certificate: X509Certificate | undefined, host: string): boolean =>
  (isIP(host) === 0
    ? certificate?.checkHost(host, { wildcards: false, subject: 'never' })
    : certificate?.checkIP(host)) !== undefined;
