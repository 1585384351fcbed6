// Under which names clients reach the service. A page of any site can send requests to a loopback address: by a name of its own that
// its DNS server resolves to this address (DNS rebinding), and across origins.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';
import { BadRequestError, ForbiddenError } from '#restify-errors';
import { hasTwoHosts } from '../common/server/host-headers.js';
import { onOneLine } from '../common/text/one-line.js';
import { requestFields, type LimitedLog } from './limited-log.js';

/** Methods that change nothing. */
const SAFE_METHODS: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);
/** A name or an address, IPv6 in brackets, with or without a port: nothing else that a URL can have. */
const HOST = /^(?:\[[\d.:a-f]+\]|[^\s"#%/:?@[\\\]]+)(?::\d*)?$/i;
/** Longest part of a header in a message, in UTF-16 units. */
const MAX_SHOWN = 100;
/** Most Host headers that are kept. */
const MAX_KNOWN = 100;

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** The names of one server. */
export class Hosts {
  readonly #isPlain: boolean;
  readonly #isListed: boolean;
  /** As {@link nameOf} returns them. */
  readonly #names: Set<string>;
  readonly #allowed: string;
  #isChecked: boolean;
  /** Host headers that were allowed, so that the headers of probes are not parsed again. */
  readonly #known = new Set<string>();

  /**
   * @param names the setting `operations.hosts`
   * @param isPlain whether the server has no TLS. With TLS a browser compares the name with the certificate
   */
  constructor(names: readonly string[], isPlain: boolean) {
    this.#isPlain = isPlain;
    this.#isListed = names.length > 0;
    this.#isChecked = this.#isListed;
    this.#names = new Set(['localhost', ...names.flatMap((name) => nameOf(bracketed(name)) ?? [])]);
    const listed = names.length === 0 ? 'which is empty' : onOneLine(names.join(', '));
    this.#allowed = `localhost, loopback addresses, the address of the listener, and the names in the setting operations.hosts (${listed})`;
  }

  /** @param host of the listen address @param address that the server listens on */
  listening(host: string, address: string): void {
    const name = host === '' ? undefined : nameOf(bracketed(host));
    if (name !== undefined) this.#names.add(name);
    this.#isChecked = this.#isListed || (this.#isPlain && isLoopback(address));
  }

  /**
   * Why a request is refused: its Host is not a name of the service, or it is a change by a page of another origin.
   *
   * @param targetHost the host of an absolute target, which a client should send as the Host, too
   */
  problemOf(request: IncomingMessage, targetHost?: string): string | undefined {
    const { method, headers, socket } = request;
    const { host, origin } = headers;
    for (const each of targetHost === undefined ? [host] : [host, targetHost])
      if (!this.#isAllowed(each, socket.localAddress))
        return `the Host '${shown(each)}' is not a name of this service; allowed are ${this.#allowed}`;
    if (origin === undefined || SAFE_METHODS.has(method) || isSameOrigin(origin, host)) return undefined;
    return `a change by a page of the Origin '${shown(origin)}' is refused; allowed is only a page of this service itself, with the Host of the request, which is '${shown(host)}'`;
  }

  /** @param localAddress the address that the client has connected to, which no page of another site has as its name */
  #isAllowed(host: string | undefined, localAddress: string | undefined): boolean {
    // Every browser sends a Host; clients of HTTP/1.0, such as the checks of load balancers, need not.
    if (!this.#isChecked || host === undefined || this.#known.has(host)) return true;
    const name = nameOf(host);
    if (name === undefined) return false;
    if (this.#names.has(name)) {
      if (this.#known.size < MAX_KNOWN) this.#known.add(host);
      return true;
    }
    return (
      isLoopback(unbracketed(name)) ||
      (localAddress !== undefined && name === nameOf(bracketed(ofIPv4(localAddress))))
    );
  }
}

/** The name in a Host header in its normal form: lower case, without port and final dot, addresses as browsers write them. */
function nameOf(host: string): string | undefined {
  const url = `http://${host}`;
  return HOST.test(host) && URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, '') : undefined;
}

const bracketed = (host: string): string => (isIPv6(host) ? `[${host}]` : host);
const unbracketed = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');
/** An IPv4 address on a socket for IPv6. */
const ofIPv4 = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

/** @param host an address or a name */
const isLoopback = (host: string): boolean => LOOPBACK.check(host, isIPv6(host) ? 'ipv6' : 'ipv4');

/** Whether an Origin has the name and the port of a Host. Its scheme is not compared: a proxy may have removed TLS. */
function isSameOrigin(origin: string, host = ''): boolean {
  if (!/^https?:/i.test(origin) || !URL.canParse(origin) || !HOST.test(host)) return false;
  const { protocol, host: found } = new URL(origin);
  const expected = `${protocol}//${host}`;
  return URL.canParse(expected) && new URL(expected).host === found;
}

const shown = (text = ''): string =>
  onOneLine(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);

/**
 * Checks the host and the target of a request, and shortens an absolute target to its path. Requests under a name that is not one of the
 * service are logged.
 *
 * @throws BadRequestError for several hosts, or a target that is neither a path nor a URL
 * @throws ForbiddenError for a host, or a page, that {@link Hosts.problemOf} refuses
 */
export function checkHostAndTarget(
  request: IncomingMessage,
  response: ServerResponse,
  hosts: Hosts,
  log: LimitedLog,
): void {
  // Node uses the first one; a proxy in front of the agent may have used the other.
  if (hasTwoHosts(request.rawHeaders)) {
    response.setHeader('Connection', 'close');
    throw new BadRequestError('the request has more than one Host header');
  }
  const { url = '' } = request;
  // A client that treats the agent as a proxy sends the absolute form, `GET http://host/path`.
  const target = /^https?:\/\//i.test(url) && URL.canParse(url) ? new URL(url) : undefined;
  const problem = hosts.problemOf(request, target?.host);
  if (problem !== undefined) {
    log.log('warn', 'request under another name', `request refused: ${problem}`, requestFields(request));
    throw new ForbiddenError('%s', problem);
  }
  if (url.startsWith('/')) return;
  if (target === undefined) throw new BadRequestError('the request target is neither a path nor an http URL');
  request.url = target.pathname + target.search;
}
