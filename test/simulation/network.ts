// The network between the agents of the hosts: requests in progress belong to the processes at both ends.

import { reasonOf, within } from '../../core/contract/index.js';
import type { IncomingRequest, Reply, Route } from '../../core/http/index.js';
import { RequestError, type HttpRequest, type HttpResponse } from '../../core/kit/index.js';
import type { SimulatedProcess, SimulatedTime } from './time.js';

/** How long a request is on its way, in milliseconds. */
const LATENCY = 5;
/** A request without another limit, in milliseconds. */
const TIMEOUT = 30_000;

/** The service of an agent. */
export class SimulatedService {
  readonly process: SimulatedProcess;
  readonly #routes: readonly Route[];
  readonly #inProgress = new Set<Promise<Reply>>();
  #isClosed = false;

  constructor(process: SimulatedProcess, routes: readonly Route[]) {
    this.process = process;
    this.#routes = routes;
  }

  /** Answers a request in its process. @returns undefined: it is closed, the connection is refused */
  async respond(sent: Pick<HttpRequest, 'body' | 'method' | 'path'>): Promise<Reply | undefined> {
    if (this.#isClosed) return undefined;
    const reply = replyTo(this.#routes, sent);
    this.#inProgress.add(reply);
    return reply.finally(() => this.#inProgress.delete(reply));
  }

  /** Accepts no more requests. Resolves when those in progress are answered, as the server of the agent does. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#inProgress);
  }
}

/** The services by host, and which hosts reach each other. */
export class SimulatedNetwork {
  readonly #time: SimulatedTime;
  readonly #services = new Map<string, SimulatedService>();
  readonly #cuts = new Map<string, number>();
  /** The hosts without power. */
  readonly dark = new Set<string>();

  constructor(time: SimulatedTime) {
    this.#time = time;
  }

  /** A service listens on a host. */
  listen(host: string, service: SimulatedService): void {
    this.#services.set(host, service);
  }

  /** A service no longer listens. */
  unlisten(host: string, service: SimulatedService | undefined): void {
    if (this.#services.get(host) === service) this.#services.delete(host);
  }

  /** Loses all requests from one host to another. @returns a function that ends the loss */
  cut(from: string, to: string): () => void {
    const key = `${from} ${to}`;
    this.#cuts.set(key, (this.#cuts.get(key) ?? 0) + 1);
    return () => void this.#cuts.set(key, (this.#cuts.get(key) ?? 1) - 1);
  }

  isCut(from: string, to: string): boolean {
    return (this.#cuts.get(`${from} ${to}`) ?? 0) > 0;
  }

  /** Sends a request of the current process. @throws RequestError without a response */
  async send(from: string, to: string, sent: HttpRequest): Promise<HttpResponse> {
    const { path, signal, timeout = TIMEOUT } = sent;
    const what = `GET https://${to}:9443${path}`;
    const isLost = this.isCut(from, to) || this.dark.has(to);
    const service = this.#services.get(to);
    const refused = (): RequestError => new RequestError('unreachable', what, 'connection refused');
    if (!isLost && service === undefined) throw refused();
    let response: HttpResponse | undefined;
    try {
      response = await within(timeout, 'the request', signal, () =>
        isLost || service === undefined
          ? new Promise(() => undefined)
          : this.#request(from, to, service, sent),
      );
    } catch (error) {
      throw new RequestError('timeout', what, reasonOf(error), error);
    }
    if (response === undefined) throw refused();
    return response;
  }

  async #request(
    from: string,
    to: string,
    service: SimulatedService,
    sent: HttpRequest,
  ): Promise<HttpResponse | undefined> {
    const sender = this.#time.current;
    return new Promise((resolve) => {
      const answer = (reply: Reply | undefined): void => {
        if (this.dark.has(from) || this.dark.has(to)) return;
        const response =
          reply &&
          ({ status: reply.status, headers: {}, body: Buffer.from(reply.body ?? '') } as HttpResponse);
        this.#time.later(sender, LATENCY, () => resolve(response));
      };
      this.#time.later(service.process, LATENCY, () => void service.respond(sent).then(answer));
    });
  }
}

/** The reply of a service to a request. */
async function replyTo(
  routes: readonly Route[],
  { method = 'GET', path, body = '' }: Pick<HttpRequest, 'body' | 'method' | 'path'>,
): Promise<Reply> {
  const route = routes.find(
    (each) =>
      path.startsWith(each.path.replace(':id', '')) && each.path.split('/').length === path.split('/').length,
  )!;
  const request: IncomingRequest = {
    headers: new Map(),
    caller: 'CN=operator',
    id: 'simulation',
    query: new URLSearchParams(),
    params: new Map([['id', path.split('/').at(-1)!]]),
    body: async () => Buffer.from(body),
  };
  return (await route.handlers[method as 'GET']?.(request)) ?? { status: 405 };
}
