// The agents of other hosts: reads their `/status` regularly. Another agent that is wrong or lies can change only the state of the consenters that it
// monitors, and which agent sends the events of a channel.

import type { OtherAgentSettings } from '../../config/index.js';
import { onOneLine } from '../common/text/one-line.js';
import { timeText } from '../common/text/time.js';
import { FailedChecks, reasonOf, type Logger } from '../contract/index.js';
import type { Health } from '../health/index.js';
import { endpointOf, HttpClient, Poller, RequestError } from '../kit/index.js';
import type { ConsenterStatus, OtherAgentStatus } from '../status/document.js';
import { readAgentDocument, type OtherAgentDocument } from './document.js';

/** The component of the agents. */
export const AGENTS = 'agents';
/** How often another agent is read, and the longest time of a request; milliseconds. */
const POLL = { interval: 5_000, timeout: 10_000 };
/** Largest response, in bytes. */
const MAX_SIZE = 512 * 1024;
/** How long the last document of another agent counts, in milliseconds. */
const MAX_AGE = 20_000;
/** How old the last document of another agent may be without a warning, in milliseconds: an agent may restart. */
const PATIENCE = 60_000;
/** Most nodes and channels of another agent in the status. */
const MAX_SHOWN = 100;
/** Longest name in the status, in UTF-16 units. The documents of all agents together must not make the status too large for other agents. */
const MAX_NAME = 64;

/** Sends requests to the agent of another host. */
interface AgentClient {
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
export type CreateAgentClient = (settings: OtherAgentSettings, log: Logger) => AgentClient;

/** Creates an HTTP client. */
export const createAgentClient: CreateAgentClient = ({ url, ca, cert, key }, log) => {
  const { address, tls } = endpointOf(new URL(url));
  return new HttpClient({ address, tls, ca, cert, key }, log);
};

/** Another agent and its last document. */
interface OtherAgent {
  readonly settings: OtherAgentSettings;
  readonly client: AgentClient;
  readonly poller: Poller;
  /** Undefined: not read yet, or it refused the last connection: what it reported before no longer counts. */
  document: OtherAgentDocument | undefined;
  /** When the last document was read, or the start of this agent, as `performance.now()`. */
  readAt: number;
  /** The same, and when the first document was read after the agent was unreachable; milliseconds since the epoch. */
  lastReadAt: number;
  firstReadAt: number;
  /** Why the last request failed. */
  problem: string | undefined;
}

/** The agents of other hosts. */
export class OtherAgents {
  readonly #agents: readonly OtherAgent[];
  readonly #ownName: string;
  readonly #stopping = new AbortController();

  /** @param ownName the name of this agent */
  constructor(
    settings: readonly OtherAgentSettings[],
    ownName: string,
    log: Logger,
    createClient: CreateAgentClient = createAgentClient,
  ) {
    this.#ownName = ownName;
    this.#agents = settings.map((each) => {
      const agent: OtherAgent = {
        settings: each,
        client: createClient(each, log),
        poller: new Poller({ ...POLL, what: 'the request' }, (signal) => this.#read(agent, signal)),
        document: undefined,
        readAt: performance.now(),
        lastReadAt: Date.now(),
        firstReadAt: Date.now(),
        problem: 'not read yet',
      };
      return agent;
    });
  }

  /** Reads the TLS files. @returns the problems, one for each agent at most */
  open(): string[] {
    return this.#agents.flatMap(({ settings, client }) => {
      try {
        client.open();
        return [];
      } catch (error) {
        return [`${settings.origin}: ${reasonOf(error).replace(/^options\./, '')}`];
      }
    });
  }

  /** Starts to read the agents, if there are any, and registers their health check. */
  start(health: Pick<Health, 'register'>): void {
    if (this.#agents.length > 0) health.register(AGENTS, () => this.check());
    for (const { poller } of this.#agents) poller.start();
  }

  stop(): void {
    this.#stopping.abort(new Error('the agent is stopping'));
    for (const { poller, client } of this.#agents) {
      poller.stop();
      client.close();
    }
  }

  /** The agents, for `/status`. */
  get statuses(): readonly OtherAgentStatus[] {
    return this.#agents.map((agent) => {
      const { settings, firstReadAt, lastReadAt, problem } = agent;
      const document = current(agent);
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

  /** @throws FailedChecks a warning for each agent whose last document is older than a minute */
  check(): void {
    const failed = this.#agents.flatMap(({ settings: { name }, problem, readAt }) => {
      // Without a failed request since then this agent did not run.
      if (problem === undefined || performance.now() - readAt < PATIENCE) return [];
      const reason = `the agent ${name} cannot be read: ${problem}`;
      return [{ component: name, reason, severity: 'warning' as const }];
    });
    if (failed.length > 0) throw new FailedChecks(failed);
  }

  /** The consenters of a channel that reachable agents monitor, with known states. */
  consentersOf(channel: string): readonly ConsenterStatus[] {
    return this.#reachable().flatMap(
      ({ document }) => document.channels.find(({ name }) => name === channel)?.consenters ?? [],
    );
  }

  /**
   * Reads what the agent that monitors a node reports about its last process, from a request that begins now: `stopped` by a signal, or `returned`
   * since then; `killed` if it is down for another reason, or has not returned in time; undefined if it is not known.
   *
   * @returns undefined if no agent monitors the node
   */
  restartOf(node: string): (() => Promise<'killed' | 'returned' | 'stopped' | undefined>) | undefined {
    const other = this.#reachable().find(({ document }) => document.nodes.some(({ name }) => name === node));
    if (other === undefined) return undefined;
    return async () => {
      await this.#read(other.agent, this.#stopping.signal);
      const found = current(other.agent)?.nodes.find(({ name }) => name === node);
      const isDown = found?.state === 'down';
      if (found?.restarting === true) return isDown ? 'stopped' : 'returned';
      return isDown ? 'killed' : undefined;
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

  /** Whether another agent with an earlier name sends what happens in a channel: it has a notifier that wants all events and does not fail. */
  sendEventsOf(channel: string): boolean {
    return this.#earlierIn(channel).some(({ notifiers }) =>
      notifiers.some(({ events, isFailing }) => events === 'all' && !isFailing),
    );
  }

  /** The reachable agents with earlier names that have a node in a channel, by name. */
  #earlierIn(channel: string): readonly OtherAgentDocument[] {
    return this.#reachable()
      .map(({ document }) => document)
      .filter(
        ({ name: agent = '', channels }) =>
          agent < this.#ownName && channels.some(({ name, hasNodes }) => name === channel && hasNodes),
      )
      .toSorted((a, b) => ((a.name ?? '') < (b.name ?? '') ? -1 : 1));
  }

  #reachable(): readonly { readonly agent: OtherAgent; readonly document: OtherAgentDocument }[] {
    return this.#agents.flatMap((agent) => {
      const document = current(agent);
      return document === undefined ? [] : [{ agent, document }];
    });
  }

  async #read(agent: OtherAgent, signal: AbortSignal): Promise<void> {
    try {
      const document = await readDocument(agent, signal);
      const now = Date.now();
      if (current(agent) === undefined) agent.firstReadAt = now;
      Object.assign(agent, { document, readAt: performance.now(), lastReadAt: now, problem: undefined });
    } catch (error) {
      agent.problem = onOneLine(error instanceof RequestError ? error.reason : reasonOf(error));
      if (error instanceof RequestError && error.failure === 'unreachable') agent.document = undefined;
    }
  }
}

async function readDocument(
  { client, settings }: OtherAgent,
  signal: AbortSignal,
): Promise<OtherAgentDocument> {
  const { status, body } = await client.send({
    path: '/status',
    maxSize: MAX_SIZE,
    signal,
    timeout: POLL.timeout,
  });
  if (status !== 200) throw new Error(`GET /status: HTTP status ${status}`);
  const document = readAgentDocument(new TextDecoder().decode(body));
  const { name } = document;
  if (name === undefined) throw new Error('the response is not from an agent, or from an older one');
  if (name !== settings.name) throw new Error(`the name of this agent is '${short(name)}'`);
  return document;
}

/** The document of another agent that is reachable. */
const current = ({ document, readAt }: OtherAgent): OtherAgentDocument | undefined =>
  performance.now() - readAt < MAX_AGE ? document : undefined;

const short = (text: string): string => (text.length > MAX_NAME ? `${text.slice(0, MAX_NAME)}…` : text);
