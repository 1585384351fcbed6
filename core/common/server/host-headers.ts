// Checks the names that clients use for a service. A page of any site can send requests to a loopback address, under a name that the DNS
// server of the site resolves to this address (DNS rebinding).

import { BlockList, isIPv6 } from 'node:net';
import { onOneLine } from '../text/one-line.js';

/** A name or an address, IPv6 in brackets, with or without a port, and no other part of a URL. */
const HOST = /^(?:\[[\d.:a-f]+\]|[^\s"#%/:?@[\\\]]+)(?::\d*)?$/i;
/** Longest part of a header in a message, in UTF-16 units. */
const MAX_SHOWN = 100;
/** Most Host headers that are kept. */
const MAX_KNOWN = 100;

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** The name in a list of names that switches the check off. */
export const ANY_HOST = '*';

/** The allowed names of one server, for the Host header of each request. */
export class HostNames {
  /** Undefined: on a loopback listener without TLS. */
  readonly #isAlwaysChecked: boolean | undefined;
  readonly #isPlain: boolean;
  /** As {@link nameOf} returns them. */
  readonly #names: Set<string>;
  readonly #allowed: string;
  #isChecked: boolean;
  /** Host headers that were allowed, so that the headers of probes are not parsed again. */
  readonly #known = new Set<string>();

  /**
   * @param names further names. If there are any, Hosts are checked on every listener, otherwise on a loopback listener without TLS;
   *   with {@link ANY_HOST} they are never checked
   * @param where the setting or flag of these names, for messages, such as `the setting operations.hosts`
   * @param isPlain whether the server has no TLS. With TLS a browser compares the name with the certificate
   */
  constructor(names: readonly string[], where: string, isPlain: boolean) {
    this.#isPlain = isPlain;
    if (names.length > 0) this.#isAlwaysChecked = !names.includes(ANY_HOST);
    this.#isChecked = this.#isAlwaysChecked === true;
    this.#names = new Set(['localhost', ...names.flatMap((name) => nameOf(bracketed(name)) ?? [])]);
    const listed = names.length === 0 ? 'which is empty' : onOneLine(names.join(', '));
    this.#allowed = `localhost, loopback addresses, the address of the listener, and the names in ${where} (${listed})`;
  }

  /** @param host the host of the listen address @param address the address that the server listens on */
  listening(host: string, address: string): void {
    const name = host === '' ? undefined : nameOf(bracketed(host));
    if (name !== undefined) this.#names.add(name);
    this.#isChecked = this.#isAlwaysChecked ?? (this.#isPlain && isLoopback(address));
  }

  /**
   * Why a request is refused: its Host is not a name of the service. Undefined if it is allowed.
   *
   * @param host the Host header
   * @param localAddress the address that the client connected to; a page of another site cannot have it as its name
   */
  problemOf(host: string | undefined, localAddress: string | undefined): string | undefined {
    return this.#isAllowed(host, localAddress)
      ? undefined
      : `the Host '${shownHeader(host)}' is not a name of this service; allowed are ${this.#allowed}`;
  }

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
  return isHost(host) && URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, '') : undefined;
}

/** Whether a text can be a Host header. */
export const isHost = (text: string): boolean => HOST.test(text);

/** The request target of a client that treats the service as a proxy, `http://host/path`; undefined for other forms. */
export const targetUrl = (target: string): URL | undefined =>
  /^https?:\/\//i.test(target) && URL.canParse(target) ? new URL(target) : undefined;

const bracketed = (host: string): string => (isIPv6(host) ? `[${host}]` : host);
const unbracketed = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');
/** The IPv4 address in an IPv4-mapped IPv6 address, which a socket for IPv6 has. */
const ofIPv4 = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

/** @param host an address or a name */
const isLoopback = (host: string): boolean => LOOPBACK.check(host, isIPv6(host) ? 'ipv6' : 'ipv4');

/** A header for a message: on one line, and truncated. */
export const shownHeader = (text = ''): string =>
  onOneLine(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);
