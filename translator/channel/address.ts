// Addresses of peers and orderers.

/** The host and the port of a consenter or an anchor peer. */
export interface Address {
  /** An IPv6 address is in brackets, because Fabric appends `:` and the port to the host; configs may contain one without brackets. */
  readonly host: string;
  readonly port: number;
}

/** The text of an address: `host:port`, an IPv6 address in brackets. */
export const addressText = ({ host, port }: Address): string =>
  `${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`;

/** Whether two addresses are equal, with or without brackets. */
export const sameAddress = (left: Address, right: Address): boolean =>
  addressText(left) === addressText(right);

const HOST_AND_PORT = /^(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+):([1-9]\d{0,4})$/;
export const MAX_PORT = 65_535;

/** Whether a text is `host:port` and nothing else: no scheme, no user, no blank; an IPv6 address in brackets. */
export const isHostAndPort = (text: string): boolean => Number(HOST_AND_PORT.exec(text)?.[1]) <= MAX_PORT;

/** The text by which addresses of one place are equal: names in lower case, and one name for this host. @param address `host:port` */
export const placeOfAddress = (address: string): string =>
  address
    .toLowerCase()
    .replace(/\.(?=:\d+$)/, '')
    .replace(/^(?:localhost|\[::1\])(?=:)/, '127.0.0.1');
