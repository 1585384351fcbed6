// Addresses as Go's package net reads them.

/** The parts of an address, or why it is invalid, in the words of Go's `net.SplitHostPort`. */
export type Address = { readonly host: string; readonly port: string } | { readonly problem: string };

/** Splits `host:port` or `[host]:port`. */
export function splitAddress(address: string): Address {
  const wrong = (why: string): Address => ({ problem: `address ${address}: ${why}` });
  const colon = address.lastIndexOf(':');
  if (colon < 0) return wrong('missing port in address');
  const end = address.indexOf(']');
  if (address.startsWith('[')) {
    if (end < 0) return wrong("missing ']' in address");
    if (end + 1 === address.length) return wrong('missing port in address');
    if (end + 1 !== colon)
      return wrong(address[end + 1] === ':' ? 'too many colons in address' : 'missing port in address');
  } else if (address.slice(0, colon).includes(':')) return wrong('too many colons in address');
  const host = address.startsWith('[') ? address.slice(1, end) : address.slice(0, colon);
  const rest = address.startsWith('[') ? address.slice(1, end) + address.slice(end + 1) : address;
  if (rest.includes('[')) return wrong("unexpected '[' in address");
  if (rest.includes(']')) return wrong("unexpected ']' in address");
  return { host, port: address.slice(colon + 1) };
}

/** The names of TCP ports that Go knows without a file of the system, if a node could use them. */
const SERVICES: ReadonlyMap<string, number> = new Map([
  ['http', 80],
  ['https', 443],
]);

/** The number of a port, or why it is invalid, in the words of Go. @param network such as `tcp` or `udp4` */
export function portNumber(
  port: string,
  network: string,
): { readonly number: number } | { readonly problem: string } {
  if (/^[+-]?\d*$/.test(port)) {
    const number = Number(port);
    return number >= 0 && number <= 65_535 ? { number } : { problem: `address ${port}: invalid port` };
  }
  const number = network.startsWith('tcp') ? SERVICES.get(port) : undefined;
  return number === undefined ? { problem: `lookup ${network}/${port}: unknown port` } : { number };
}

/** Whether a host is an address that means all interfaces, such as 0.0.0.0. */
export const isUnspecified = (host: string): boolean =>
  /^(?:0\.0\.0\.0|(?=.*:)[0:]+|::ffff:0\.0\.0\.0)$/i.test(host);
