import type { HostPort } from '../common/text/host-port.js';

const DEFAULT_PORTS: ReadonlyMap<string, number> = new Map([
  ['http:', 80],
  ['https:', 443],
]);

/** Where a URL is requested. */
export interface UrlEndpoint {
  readonly address: HostPort;
  readonly tls: boolean;
  /** With the query. */
  readonly path: string;
}

/** Where an http or https URL is requested. */
export function endpointOf({ protocol, hostname, port, pathname, search }: URL): UrlEndpoint {
  return {
    address: {
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: port === '' ? (DEFAULT_PORTS.get(protocol) ?? 0) : Number(port),
    },
    tls: protocol === 'https:',
    path: `${pathname}${search}`,
  };
}
