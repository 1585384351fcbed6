// Docker endpoints: where an engine listens.

/** How to reach an engine; the parts dockerode wants, given apart. */
export interface Endpoint {
  readonly socketPath?: string;
  readonly host?: string;
  readonly port?: number;
  readonly protocol?: 'http' | 'https';
}

const ALLOWED = 'must be unix:///path, tcp://host:port, http://host:port or https://host:port';
const DEFAULT_PORT = 2375;
const DEFAULT_TLS_PORT = 2376;

/**
 * Reads an endpoint.
 *
 * @param hasTls whether TLS files are given: `tcp://` then means TLS
 * @throws Error saying what is allowed
 */
export function parseEndpoint(text: string, hasTls: boolean): Endpoint {
  const [, scheme = '', rest = ''] = /^([a-z]+):\/\/(.*)$/s.exec(text) ?? [];
  if (scheme === 'unix' && rest.startsWith('/')) return { socketPath: rest };
  if (!['tcp', 'http', 'https'].includes(scheme)) throw new Error(ALLOWED);
  let url: URL;
  try {
    url = new URL(`http://${rest}`);
  } catch {
    throw new Error(ALLOWED);
  }
  if (url.hostname === '' || url.username !== '' || url.pathname !== '/' || url.search !== '')
    throw new Error(ALLOWED);
  const isSecure = scheme === 'https' || (scheme === 'tcp' && hasTls);
  // The URL leaves out port 80, which is what it takes http:// without a port to mean.
  const port =
    url.port === ''
      ? rest.endsWith(':80')
        ? 80
        : isSecure
          ? DEFAULT_TLS_PORT
          : DEFAULT_PORT
      : Number(url.port);
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port, protocol: isSecure ? 'https' : 'http' };
}

/** The format of the option `endpoint`; the empty text means whatever the environment of the process says. */
export function checkEndpoint(value: unknown): void {
  if (typeof value !== 'string') throw new Error(ALLOWED);
  if (value !== '') parseEndpoint(value, false);
}
