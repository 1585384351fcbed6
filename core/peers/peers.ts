// The agents of other hosts: reads their `/status` regularly. A peer that is wrong or lies can change only the state of the consenters that it
// monitors, and which agent sends the events of a channel.

import type { PeerSettings } from '../../config/index.js';
import { onOneLine } from '../common/text/one-line.js';
import { timeText } from '../common/text/time.js';
import { FailedChecks, reasonOf, type Logger } from '../contract/index.js';
import type { Health } from '../health/index.js';
import { endpointOf, HttpClient, Poller, RequestError } from '../kit/index.js';
import type { ConsenterStatus, PeerStatus } from '../status/document.js';
import { readPeerDocument, type PeerDocument } from './document.js';

/** The component of the peers. */
export const PEERS = 'peers';
/** How often a peer is read, and the longest time of a request; milliseconds. */
const POLL = { interval: 5_000, timeout: 10_000 };
/** Largest response, in bytes. */
const MAX_SIZE = 512 * 1024;
/** How long the last document of a peer counts, in milliseconds. */
const MAX_AGE = 20_000;
/** How old the last document of a peer may be without a warning, in milliseconds: an agent may restart. */
const PATIENCE = 60_000;
/** Most nodes and channels of a peer in the status. */
const MAX_SHOWN = 100;
/** Longest name in the status, in UTF-16 units. The documents of all peers together must not make the status too large for other agents. */
const MAX_NAME = 64;

/** Sends requests to the agent of another host. */
export interface AgentClient {
  /** Reads the TLS files. @throws Error if one of them cannot be used */
  open(): void;
  /** Closes all connections; requests in progress fail. */
  close(): void;
  /** @param request `maxSize` of the body in bytes; `timeout` in milliseconds */
  send(request: {
    readonly path: string;
    readonly maxSize: number;
    readonly timeout: number;
    readonly signal: AbortSignal;
  }): Promise<{ readonly status: number; readonly body: Uint8Array }>;
}

/** Creates the client for the agent of another host. */
export type CreateAgentClient = (settings: PeerSettings, log: Logger) => AgentClient;

/** Creates an HTTP client. */
export const createAgentClient: CreateAgentClient = ({ url, ca, cert, key }, log) => {
  const { address, tls } = endpointOf(new URL(url));
  return new HttpClient({ address, tls, ca, cert, key }, log);
};

/** A peer and its last document. */
interface Peer {
  readonly settings: PeerSettings;
  readonly client: AgentClient;
  readonly poller: Poller;
  /** Undefined: not read yet, or it refused the last connection: what it reported before no longer counts. */
  document: PeerDocument | undefined;
  /** When the last document was read, or the start of this agent, as `performance.now()`. */
  readAt: number;
  /** The same, and when the first document was read after the peer was unreachable; milliseconds since the epoch. */
  lastReadAt: number;
  firstReadAt: number;
  /** Why the last request failed. */
  problem: string | undefined;
}

/** The agents of other hosts. */
export class Peers {
  readonly #peers: readonly Peer[];
  readonly #ownName: string;
  readonly #stopping = new AbortController();

  /** @param ownName the name of this agent */
  constructor(
    settings: readonly PeerSettings[],
    ownName: string,
    log: Logger,
    createClient: CreateAgentClient = createAgentClient,
  ) {
    this.#ownName = ownName;
    this.#peers = settings.map((each) => {
      const peer: Peer = {
        settings: each,
        client: createClient(each, log),
        poller: new Poller({ ...POLL, what: 'the request' }, (signal) => this.#read(peer, signal)),
        document: undefined,
        readAt: performance.now(),
        lastReadAt: Date.now(),
        firstReadAt: Date.now(),
        problem: 'not read yet',
      };
      return peer;
    });
  }

  /** Reads the TLS files. @returns the problems, one for each peer at most */
  open(): string[] {
    return this.#peers.flatMap(({ settings, client }) => {
      try {
        client.open();
        return [];
      } catch (error) {
        return [`${settings.origin}: ${reasonOf(error).replace(/^options\./, '')}`];
      }
    });
  }

  /** Starts to read the peers, if there are any, and registers their health check. */
  start(health: Pick<Health, 'register'>): void {
    if (this.#peers.length > 0) health.register(PEERS, () => this.check());
    for (const { poller } of this.#peers) poller.start();
  }

  stop(): void {
    this.#stopping.abort(new Error('the agent is stopping'));
    for (const { poller, client } of this.#peers) {
      poller.stop();
      client.close();
    }
  }

  /** The peers, for `/status`. */
  get statuses(): readonly PeerStatus[] {
    return this.#peers.map((peer) => {
      const { settings, firstReadAt, lastReadAt, problem } = peer;
      const document = current(peer);
      return {
        name: settings.name,
        url: settings.url,
        reachable: document !== undefined,
        since: timeText(document === undefined ? lastReadAt : firstReadAt) ?? '',
        reason: document === undefined ? (problem ?? 'no response') : undefined,
        healthy: document?.healthy,
        nodes: (document?.nodes ?? [])
          .slice(0, MAX_SHOWN)
          .map(({ name, kind, state }) => ({ name: short(name), kind: short(kind), state: short(state) })),
        channels: (document?.channels ?? [])
          .slice(0, MAX_SHOWN)
          .map(({ name, verdict }) => ({ name: short(name), verdict: verdict && short(verdict) })),
      };
    });
  }

  /** @throws FailedChecks a warning for each peer whose last document is older than a minute */
  check(): void {
    const failed = this.#peers.flatMap(({ settings: { name }, problem, readAt }) => {
      // Without a failed request since then this agent did not run.
      if (problem === undefined || performance.now() - readAt < PATIENCE) return [];
      const reason = `the agent ${name} cannot be read: ${problem}`;
      return [{ component: name, reason, severity: 'warning' as const }];
    });
    if (failed.length > 0) throw new FailedChecks(failed);
  }

  /** The consenters of a channel that reachable peers monitor, with known states. */
  consentersOf(channel: string): readonly ConsenterStatus[] {
    return this.#reachable().flatMap(
      ({ document }) => document.channels.find(({ name }) => name === channel)?.consenters ?? [],
    );
  }

  /**
   * Reads whether the peer that monitors a node reports that a signal stopped it; from a request that begins now.
   *
   * @returns undefined if no peer monitors the node
   */
  restartOf(node: string): (() => Promise<boolean>) | undefined {
    const peer = this.#reachable().find(({ document }) => document.nodes.some(({ name }) => name === node));
    if (peer === undefined) return undefined;
    return async () => {
      await this.#read(peer.peer, this.#stopping.signal);
      return current(peer.peer)?.nodes.find(({ name }) => name === node)?.restarting === true;
    };
  }

  /**
   * The agent with an earlier name that has delivered the failure of a channel to a notifier, or one that is worse; undefined: none.
   *
   * @param component of the channel
   */
  delivererOf(channel: string, component: string, severity: string): string | undefined {
    return this.#earlierIn(channel).find(({ problems }) =>
      problems.some(
        (problem) =>
          problem.component === component &&
          problem.delivered === true &&
          (problem.severity === severity || problem.severity === 'critical'),
      ),
    )?.name;
  }

  /** The agents with earlier names that have a node in a channel, and a notifier that wants failures of this severity. */
  senders(channel: string, severity: string): readonly string[] {
    return this.#earlierIn(channel).flatMap(({ name = '', notifiers }) =>
      notifiers.some(({ events }) => events === 'all' || (severity === 'critical' && events === 'critical'))
        ? [name]
        : [],
    );
  }

  /** Whether an agent with an earlier name sends what happens in a channel: it has a notifier that wants all events and does not fail. */
  sendEventsOf(channel: string): boolean {
    return this.#earlierIn(channel).some(({ notifiers }) =>
      notifiers.some(({ events, isFailing }) => events === 'all' && !isFailing),
    );
  }

  /** The reachable agents with earlier names that have a node in a channel, by name. */
  #earlierIn(channel: string): readonly PeerDocument[] {
    return this.#reachable()
      .map(({ document }) => document)
      .filter(
        ({ name: agent = '', channels }) =>
          agent < this.#ownName && channels.some(({ name, hasNodes }) => name === channel && hasNodes),
      )
      .toSorted((a, b) => ((a.name ?? '') < (b.name ?? '') ? -1 : 1));
  }

  #reachable(): readonly { readonly peer: Peer; readonly document: PeerDocument }[] {
    return this.#peers.flatMap((peer) => {
      const document = current(peer);
      return document === undefined ? [] : [{ peer, document }];
    });
  }

  async #read(peer: Peer, signal: AbortSignal): Promise<void> {
    try {
      const document = await readDocument(peer, signal);
      const now = Date.now();
      if (current(peer) === undefined) peer.firstReadAt = now;
      Object.assign(peer, { document, readAt: performance.now(), lastReadAt: now, problem: undefined });
    } catch (error) {
      peer.problem = onOneLine(error instanceof RequestError ? error.reason : reasonOf(error));
      if (error instanceof RequestError && error.failure === 'unreachable') peer.document = undefined;
    }
  }
}

async function readDocument({ client, settings }: Peer, signal: AbortSignal): Promise<PeerDocument> {
  const { status, body } = await client.send({
    path: '/status',
    maxSize: MAX_SIZE,
    signal,
    timeout: POLL.timeout,
  });
  if (status !== 200) throw new Error(`GET /status: HTTP status ${status}`);
  const document = readPeerDocument(new TextDecoder().decode(body));
  const { name } = document;
  if (name === undefined) throw new Error('the response is not from an agent, or from an older one');
  if (name !== settings.name) throw new Error(`the name of this agent is '${short(name)}'`);
  return document;
}

/** The document of a peer that is reachable. */
const current = ({ document, readAt }: Peer): PeerDocument | undefined =>
  performance.now() - readAt < MAX_AGE ? document : undefined;

const short = (text: string): string => (text.length > MAX_NAME ? `${text.slice(0, MAX_NAME)}…` : text);
