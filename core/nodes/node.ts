// The monitored Fabric nodes: their client, level, version, log and state.

import { SettingsError, type NodeSettings } from '../../config/index.js';
import { FileNotResponding } from '../common/files/file-call.js';
import { FileVersions } from '../common/files/version.js';
import { ownerOf } from '../common/text/component.js';
import { formatHostPort } from '../common/text/host-port.js';
import { timeText } from '../common/text/time.js';
import { AgentError, reasonOf, type Logger, type MetricSource, type SourceState } from '../contract/index.js';
import type { DetailedPart } from '../contract/internal/index.js';
import type { NodeEndpoint } from '../contract/metric-source.js';
import type { PluginInstance } from '../host/index.js';
import { createLeasedSpec, type LeasedSpec, type SpecEvent } from '../logging/index.js';
import type { CheckStatus, LogStatus, NodeChannel, NodeList, NodeStatus, Span } from '../status/index.js';
import { channelsOf } from './channels.js';
import { createNodeClient, createVersionReader, readVersion, type NodeClient } from './client.js';
import { createNodeSpec, watchLeftLevel, type LevelHealth } from './level.js';
import type { ProcessEnd } from './log-lines.js';
import {
  createLogReader,
  logName,
  readLastStart,
  readLogEnd,
  readLogText,
  readProcessEnd,
  type ReadLog,
} from './log.js';

/** The name of the agent itself in paths. */
export const SELF = 'self';

/** The health checks of a peer itself: Fabric's internal/peer/node/start.go and core/ledger/kvledger register them. An orderer with Raft or BFT has none. */
const CHECKS_OF_PEER = ['docker', 'couchdb'];

/** How long a node that a signal stopped counts as restarting after its return, in milliseconds: other agents have read it again by then. */
const RETURNED = 15_000;

/** Longest part of an unknown name in a message, in UTF-16 units. */
const MAX_SHOWN = 100;

/** The failures and warnings of components. */
interface HealthFacts {
  readonly failedChecks: readonly DetailedPart[];
  readonly warnings: readonly DetailedPart[];
}

/** The failures of one node. */
interface OwnHealth extends HealthFacts {
  /** The failures of the node and its checks that have ended. */
  readonly past: readonly Span[];
  /** Whether the node is down because a signal stopped it, and may return. */
  readonly isRestarting: boolean;
}

/** The versions of a node before and after a restart. */
interface VersionChange {
  readonly before: string;
  readonly now: string;
}

/** A monitored Fabric node. */
export class FabricNode {
  readonly name: string;
  readonly kind: NodeEndpoint['kind'];
  readonly settings: NodeSettings;
  /** Sends requests to its operations endpoint. */
  readonly client: NodeClient;
  /** Its logging specification; undefined if the settings switch it off. */
  readonly level: LeasedSpec | undefined;
  /** Whether the readings of its source contain its metrics. */
  readonly hasMetrics: boolean;
  readonly #readVersion: (state: SourceState) => Promise<string | undefined>;
  /** The channels in its last reading. */
  #channels: readonly NodeChannel[] = [];
  /** The version of the last known process; undefined: unknown. */
  #startedVersion: string | undefined;
  /** The line with its start in the log of the node; undefined: unknown. */
  #start: string | undefined;
  /** How the process before ended, and when the current one was found, as `performance.now()`. */
  #before: { readonly end: ProcessEnd | undefined; readonly until: number } = {
    end: undefined,
    until: -Infinity,
  };
  readonly #readLog: (() => Promise<LogStatus>) | undefined;
  readonly #readLogEnd: ReadLog;
  readonly #files: FileVersions;
  /** The versions of its files when the agent started. */
  readonly #versions: string;

  /**
   * @param endpoint sends the requests to the node
   * @param onLevel called after each change of its logging specification
   * @param readEnd reads the end of its log
   */
  constructor(
    settings: NodeSettings,
    endpoint: NodeEndpoint,
    log: Logger,
    onLevel: (event: SpecEvent) => void = () => undefined,
    readEnd: ReadLog = readLogEnd,
  ) {
    this.name = settings.name;
    this.kind = endpoint.kind;
    this.settings = settings;
    this.client = createNodeClient(this.name, endpoint);
    if (settings.logging !== false)
      this.level = createLeasedSpec(createNodeSpec(this.name, this.client, log), log, onLevel);
    this.hasMetrics = endpoint.metrics !== false;
    this.#readVersion = createVersionReader(this.client);
    this.#files = new FileVersions(settings.files ?? []);
    this.#versions = this.#files.readSync();
    this.#readLogEnd = readEnd;
    this.#readLog = settings.log && createLogReader(settings.log, readEnd);
  }

  /** Its log; undefined if the settings do not name one. */
  get log(): { readonly source: string; read(): Promise<string> } | undefined {
    const { log } = this.settings;
    return log && { source: logName(log), read: () => readLogText(log, this.#readLogEnd) };
  }

  /** The last warnings, errors and panics in its log, newest first; empty if the log is unknown or cannot be read. Never rejects. */
  async logLines(): Promise<readonly string[]> {
    return (await this.#readLog?.())?.lines ?? [];
  }

  /**
   * How the process that was last up ended according to the log of the node, read now; a later process may be starting. Never rejects; undefined
   * if the log does not say it.
   *
   * @param observedAt when the check run that found the node down began, as `performance.now()`: it may be about the process before
   * @returns `returned`: this was the process before, and a signal had stopped it
   */
  async processEnd(observedAt = Infinity): Promise<ProcessEnd | 'returned' | undefined> {
    const { end, until } = this.#before;
    if (observedAt < until) return end === 'stopped' ? 'returned' : end;
    return this.settings.log && readProcessEnd(this.settings.log, this.#start, this.#readLogEnd);
  }

  /** Called after the first reading and after a restart of the node. Never rejects. @returns the versions if they differ */
  async started(): Promise<VersionChange | undefined> {
    const before = this.#startedVersion;
    const until = performance.now();
    const { log } = this.settings;
    const [now, start] = await Promise.all([
      readVersion(this.client),
      log && readLastStart(log, this.#start, this.#readLogEnd),
    ]);
    this.#start = start?.line;
    this.#before = { end: start?.endBefore, until };
    this.#startedVersion = now ?? before;
    return before === undefined || now === undefined || before === now ? undefined : { before, now };
  }

  /**
   * Warns of a level that was not reset, see {@link watchLeftLevel}.
   *
   * @returns a function that ends the attempts to read it
   */
  watchLevel(health: LevelHealth): () => void {
    const { name, level, settings } = this;
    return level === undefined
      ? () => undefined
      : watchLeftLevel({ node: name, level, configured: settings.spec, health });
  }

  /**
   * The node in the document of `/nodes`. Never rejects, so that the document always has the other nodes.
   *
   * @param state the last reading of the source of the node
   * @param checksFiles see {@link StateReaders}
   */
  async describe(
    state: SourceState,
    health: OwnHealth,
    checksFiles: StateReaders['checksFiles'],
  ): Promise<NodeStatus> {
    try {
      const entry = this.#describe(state, await this.#readVersion(state), health);
      // The log is read only if necessary: it can be large and slow.
      const isExplained = !entry.up || entry.failed_checks.some(({ component }) => !checksFiles(component));
      if (!isExplained) return entry;
      const log = await this.#readLog?.();
      const isChanged = entry.state === 'down' && log?.cause === undefined && (await this.#wasChanged());
      return { ...entry, ...(isChanged && { state: 'changed' }), log };
    } catch (error) {
      return {
        name: this.name,
        kind: this.kind,
        up: false,
        reason: `the state of the node cannot be shown: ${reasonOf(error)}`,
        state: 'unknown',
        healthy: false,
        failed_checks: [],
        warnings: [],
        restarts_last_hour: 0,
        channels: [],
        past: [],
      };
    }
  }

  /** Returns true if a signal stopped it, and it was found up again a moment ago. */
  #hasReturned(): boolean {
    const { end, until } = this.#before;
    return end === 'stopped' && performance.now() < until + RETURNED;
  }

  /** Returns true if its files were changed after the agent read them: its operations endpoint may have another address now. */
  async #wasChanged(): Promise<boolean> {
    const versions = await this.#files.read();
    return !(versions instanceof FileNotResponding) && versions !== this.#versions;
  }

  /** Unknown members are undefined, so that JSON omits them. */
  #describe(
    {
      isUp,
      isLate,
      isRefused,
      isUnresolved,
      failure,
      reading,
      readAt,
      reason,
      restarts = [],
      removedChannels = [],
    }: SourceState,
    version: string | undefined,
    { failedChecks, warnings, past, isRestarting }: OwnHealth,
  ): NodeStatus {
    const unreachable = failedChecks.find(({ component }) => component === this.name);
    // A reading without the metrics of the node does not tell whether it is up.
    const up = isUp && !this.hasMetrics ? unreachable === undefined : isUp;
    if (reading !== undefined) this.#channels = channelsOf(reading, removedChannels);
    else if (!up) this.#channels = this.#channels.map((channel) => ({ ...channel, stale: true }));
    return {
      name: this.name,
      kind: this.kind,
      up,
      state: up
        ? failedChecks.length === 0
          ? 'up'
          : 'ailing'
        : isUnresolved === true
          ? 'unresolved'
          : stateOf({ reason, failure, isLate }, unreachable),
      address: this.settings.address && formatHostPort(this.settings.address),
      reason: up ? undefined : (reason ?? unreachable?.reason ?? 'not read yet'),
      refused: up ? undefined : isRefused,
      version,
      healthy: up && failedChecks.length === 0,
      failed_checks: shown(failedChecks),
      warnings: shown(warnings),
      started_at: timeText(reading?.startTime && reading.startTime * 1000),
      restarts_last_hour: restarts.length,
      restarting: (up ? this.#hasReturned() : isRestarting) ? true : undefined,
      last_reading: timeText(readAt),
      channels: this.#channels,
      past,
    };
  }
}

/** The state of a node that is not up. @param check the failure of its health check */
function stateOf(
  {
    reason,
    failure,
    isLate,
  }: { readonly [Name in 'reason' | 'failure' | 'isLate']: SourceState[Name] | undefined },
  check: DetailedPart | undefined,
): string {
  if (isLate === true || check?.isLate === true || failure === 'timeout') return 'silent';
  if (failure === undefined) return reason === undefined && check === undefined ? 'unknown' : 'down';
  return failure === 'unreachable' ? 'down' : 'unreadable';
}

const shown = (checks: readonly DetailedPart[]): CheckStatus[] =>
  checks.map(({ component, reason }) => ({ component, reason }));

/** Functions that return the state of all nodes. */
interface StateReaders {
  /** The current states of all sources. */
  states(): Promise<readonly SourceState[]>;
  /** The failed checks and the warnings of all components. */
  report(): Promise<HealthFacts>;
  /** The failures of a node and its checks that have ended. */
  readonly pastOf: (node: string) => readonly Span[];
  /** Returns true if a node is down because a signal stopped it, and may return. */
  readonly isRestarting: (node: string) => boolean;
  /** Returns true if failures of a component are about files, so that the log of the node does not explain them. */
  readonly checksFiles: (component: string) => boolean;
}

/** The monitored nodes, in the order of their sources. */
export class Nodes {
  readonly #settings: ReadonlyMap<string, NodeSettings>;
  readonly #log: Logger;
  readonly #onLevel: (node: string, event: SpecEvent) => void;
  readonly #readLog: ReadLog;
  readonly #nodes = new Map<string, FabricNode>();

  /**
   * @param onLevel called after each change of the logging specification of a node
   * @param readLog reads the end of the log of a node
   */
  constructor(
    settings: readonly NodeSettings[],
    log: Logger,
    onLevel: (node: string, event: SpecEvent) => void = () => undefined,
    readLog: ReadLog = readLogEnd,
  ) {
    this.#readLog = readLog;
    this.#settings = new Map(settings.map((node) => [node.name, node]));
    this.#log = log;
    this.#onLevel = onLevel;
  }

  /**
   * Adds the node that a source reads, if it reads one. The node has the name of the source.
   *
   * @throws SettingsError if the node has the name of the agent
   */
  add(source: Pick<PluginInstance<MetricSource>, 'name' | 'origin' | 'plugin' | 'requireRunning'>): void {
    const { name, origin, plugin } = source;
    const { node: target } = plugin;
    if (target === undefined) return;
    if (name === SELF)
      throw new SettingsError([
        `${origin}: a node cannot have the name ${SELF}, which means the agent in /nodes/${SELF}/logspec; set another name`,
      ]);
    const endpoint: NodeEndpoint = {
      kind: target.kind,
      ...(target.metrics === false && { metrics: false }),
      request: async (request) => {
        source.requireRunning();
        return target.request(request);
      },
    };
    const settings = this.#settings.get(name) ?? { name, kind: target.kind };
    const onLevel = (event: SpecEvent): void => this.#onLevel(name, event);
    const node = new FabricNode(settings, endpoint, this.#log, onLevel, this.#readLog);
    this.#nodes.set(name, node);
  }

  get all(): readonly FabricNode[] {
    return [...this.#nodes.values()];
  }

  get names(): readonly string[] {
    return [...this.#nodes.keys()];
  }

  /** With one node, the components of the checks of a peer by their names in the peer: `docker` is `peer0/docker`. */
  get shortNames(): ReadonlyMap<string, string> {
    const [only, ...others] = this.names;
    return new Map(
      only === undefined || others.length > 0
        ? []
        : CHECKS_OF_PEER.map((check) => [check, `${only}/${check}`]),
    );
  }

  /** The logging specifications that the settings do not switch off, by the name of the node. */
  get levels(): ReadonlyMap<string, LeasedSpec> {
    return new Map(this.all.flatMap(({ name, level }) => (level === undefined ? [] : [[name, level]])));
  }

  /**
   * Finds a node by its name.
   *
   * @throws AgentError `NODE_UNKNOWN`, with the names of all nodes
   */
  find(name = ''): FabricNode {
    const node = this.#nodes.get(name);
    if (node !== undefined) return node;
    const known =
      this.#nodes.size === 0 ? 'the agent has no nodes' : `the nodes are ${this.names.join(', ')}`;
    throw new AgentError('NODE_UNKNOWN', `unknown node '${name.slice(0, MAX_SHOWN)}'; ${known}`);
  }

  /** The document of `/nodes`: the nodes with their state and channels, and the warnings of components that do not belong to a node. */
  async describe(facts: StateReaders): Promise<NodeList> {
    const [health, all] = await Promise.all([facts.report(), facts.states()]);
    const states = new Map(all.map((state) => [state.name, state]));
    const { names } = this;
    const ofNode = (checks: readonly DetailedPart[], name: string | undefined): DetailedPart[] =>
      checks.filter(({ component }) => ownerOf(component, names) === name);
    const described = this.all.map((node) =>
      node.describe(
        states.get(node.name) ?? { name: node.name, isUp: false },
        {
          failedChecks: ofNode(health.failedChecks, node.name),
          warnings: ofNode(health.warnings, node.name),
          past: facts.pastOf(node.name),
          isRestarting: facts.isRestarting(node.name),
        },
        facts.checksFiles,
      ),
    );
    return { nodes: await Promise.all(described), warnings: shown(ofNode(health.warnings, undefined)) };
  }
}
