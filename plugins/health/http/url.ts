// The option `url`.

import type { HostPort } from '../../../core/contract/index.js';

const ALLOWED = 'must be a URL that begins with http:// or https://, without user name and fragment';
const DEFAULT_PORTS = { 'http:': 80, 'https:': 443 } as const;

/** Where a URL is requested. */
export interface UrlEndpoint {
  readonly address: HostPort;
  readonly tls: boolean;
  /** With the query. */
  readonly path: string;
}

/** The format of the option. */
export function checkUrl(value: unknown): void {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
  if (
    url === undefined ||
    !Object.hasOwn(DEFAULT_PORTS, url.protocol) ||
    `${url.username}${url.password}${url.hash}` !== '' ||
    url.port === '0'
  )
    throw new Error(ALLOWED);
}

/** Where a URL that {@link checkUrl} accepts is requested. */
export function endpointOf(value: unknown): UrlEndpoint {
  const { protocol, hostname, port, pathname, search } = new URL(value as string);
  const fallback = DEFAULT_PORTS[protocol as keyof typeof DEFAULT_PORTS];
  return {
    address: {
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: port === '' ? fallback : Number(port),
    },
    tls: protocol === 'https:',
    path: `${pathname}${search}`,
  };
}
