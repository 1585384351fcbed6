// URLs of servers in options.

import type { HostPort } from '../common/text/host-port.js';

/** The rule for {@link checkUrl}, for messages. */
export const URL_RULE = 'must be a URL that begins with http:// or https://, without user name and fragment';

/** Whether a text is an http or https URL without user name and fragment. */
export function isServerUrl(text: unknown): text is string {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
  return (
    url !== undefined &&
    ['http:', 'https:'].includes(url.protocol) &&
    `${url.username}${url.password}${url.hash}` === '' &&
    url.port !== '0'
  );
}

/** The format of an option. @throws Error with the allowed values */
export function checkUrl(value: unknown): void {
  if (!isServerUrl(value)) throw new Error(URL_RULE);
}

const DEFAULT_PORTS: ReadonlyMap<string, number> = new Map([
  ['http:', 80],
  ['https:', 443],
]);

/** The server and the path of a URL. */
interface UrlEndpoint {
  readonly address: HostPort;
  readonly tls: boolean;
  /** With the query. */
  readonly path: string;
}

/** The server and the path of an http or https URL. */
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
