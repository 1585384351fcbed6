// Decides which requests the agent accepts: by the names that clients use for it, and by the origins of pages that change something.

import type { IncomingMessage } from 'node:http';
import errors from 'restify-errors';
import { HostNames, isHost, shownHeader, targetUrl } from '../common/server/host-headers.js';
import { requestFields, type LimitedLog } from './limited-log.js';

/** Methods that change nothing. */
export const SAFE_METHODS: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** Decides which requests one server accepts. */
export class Hosts {
  readonly #names: HostNames;

  /**
   * @param names the setting `operations.hosts`
   * @param isPlain whether the server has no TLS
   */
  constructor(names: readonly string[], isPlain: boolean) {
    this.#names = new HostNames(names, 'the setting operations.hosts', isPlain);
  }

  /** @param host the host of the listen address @param address the address that the server listens on */
  listening(host: string, address: string): void {
    this.#names.listening(host, address);
  }

  /**
   * Why a request is refused: its Host is not a name of the agent, or it is a change by a page of another origin.
   *
   * @param targetHost the host of an absolute target, which a client should send as the Host, too
   */
  problemOf(request: IncomingMessage, targetHost?: string): string | undefined {
    const { method, headers, socket } = request;
    const { host, origin } = headers;
    for (const each of targetHost === undefined ? [host] : [host, targetHost]) {
      const problem = this.#names.problemOf(each, socket.localAddress);
      if (problem !== undefined) return problem;
    }
    if (origin === undefined || SAFE_METHODS.has(method) || isSameOrigin(origin, host)) return undefined;
    return `a change by a page of the Origin '${shownHeader(origin)}' is refused; only a page of this agent is allowed; the Host of the request is '${shownHeader(host)}'`;
  }
}

/** Whether an Origin has the name and the port of a Host. Its scheme is not compared: a proxy may have removed TLS. */
function isSameOrigin(origin: string, host = ''): boolean {
  if (!/^https?:/i.test(origin) || !URL.canParse(origin) || !isHost(host)) return false;
  const { protocol, host: found } = new URL(origin);
  const expected = `${protocol}//${host}`;
  return URL.canParse(expected) && new URL(expected).host === found;
}

/**
 * Checks the host and the target of a request, and shortens an absolute target to its path. Logs requests for a name that the agent does
 * not have.
 *
 * @throws BadRequestError for a target that is neither a path nor a URL
 * @throws ForbiddenError for a host, or a page, that {@link Hosts.problemOf} refuses
 */
export function checkHostAndTarget(request: IncomingMessage, hosts: Hosts, log: LimitedLog): void {
  const { url = '' } = request;
  const target = targetUrl(url);
  const problem = hosts.problemOf(request, target?.host);
  if (problem !== undefined) {
    log.log('warn', 'request under another name', `request refused: ${problem}`, requestFields(request));
    throw new errors.ForbiddenError('%s', problem);
  }
  if (url.startsWith('/')) return;
  if (target === undefined)
    throw new errors.BadRequestError('the request target is neither a path nor an http URL');
  request.url = target.pathname + target.search;
}
