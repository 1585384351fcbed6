// Collects the status of a running service. `--json` prints the report as it is: its members are documented in core/cli/README.md.

import { limitCalls } from '../common/flow/limit-calls.js';
import { joinLines, onOneLine } from '../common/text/one-line.js';
import { maskUrls } from '../common/text/value.js';
import { certificatesIn, type CertificateStatus } from './certificate-status.js';
import { engineWarnings, enginesIn, type EngineStatus } from './engine-status.js';
import {
  describeRequestError,
  sendGet,
  withoutQuery,
  type ClientOptions,
  type ServiceResponse,
} from './service-client.js';
import {
  failedChecksIn,
  levelIn,
  nodesIn,
  stringIn,
  warningsIn,
  type CheckStatus,
  type LevelStatus,
  type NodeStatus,
} from './status-documents.js';

/** Most requests at a time for the levels of nodes. */
const MAX_REQUESTS = 8;

/** The status of the service itself. */
export interface AgentStatus {
  /** Whether it responded to any request. */
  readonly reachable: boolean;
  /** What responded instead: a node itself. */
  readonly instead?: string;
  readonly version?: string | undefined;
  /** Whether all checks succeed, those of the nodes included. */
  readonly healthy: boolean;
  readonly failed_checks: readonly CheckStatus[];
  /** Its own log level; omitted when `/logspec` is that of its only node. */
  readonly level?: LevelStatus | undefined;
}

/** The status of a service and its nodes. */
export interface StatusReport {
  readonly time: string;
  readonly url: string;
  /** Whether the service is reachable and healthy, all nodes are up, and nothing failed to be read. */
  readonly healthy: boolean;
  readonly agent: AgentStatus;
  readonly nodes: readonly NodeStatus[];
  /** The certificates that the service checks; those that expire first at the beginning. */
  readonly certificates: readonly CertificateStatus[];
  /** The Docker engines that the service checks. */
  readonly engines: readonly EngineStatus[];
  /** What does not make the service unhealthy: components that need attention, and peers that are too old for an engine. */
  readonly warnings: readonly string[];
  /** What could not be read, with the reason. */
  readonly errors: readonly string[];
}

/** Sends requests to the service and keeps the reasons of those that fail. */
class Requests {
  readonly #options: ClientOptions;
  /** The failed requests, one line each. */
  readonly errors: string[] = [];
  /** The reasons of those without a response. */
  readonly unreachable = new Set<string>();
  #responses = 0;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  get isReachable(): boolean {
    return this.#responses > 0;
  }

  /** The response if it has one of the statuses. A 404 is not an error: not every service has every resource. */
  async get(path: string, statuses: readonly number[] = [200]): Promise<ServiceResponse | undefined> {
    const { url, tls, timeout } = this.#options;
    const target = new URL(url.pathname.replace(/\/$/, '') + path, url);
    try {
      const response = await sendGet(target, tls, timeout);
      this.#responses += 1;
      if (statuses.includes(response.status)) return response;
      if (response.status !== 404) this.errors.push(`${path}: ${describeStatus(response, url)}`);
    } catch (error) {
      const reason = describeRequestError(error, target);
      this.unreachable.add(reason);
      this.errors.push(`${path}: ${reason}`);
    }
    return undefined;
  }
}

/** Collects the status of a service. Never rejects for a reason of the service. */
export async function readStatus(options: ClientOptions): Promise<StatusReport> {
  const url = maskUrls(options.url.href);
  const requests = new Requests(options);
  const [health, version, list, metrics] = await Promise.all([
    requests.get('/healthz', [200, 503]),
    requests.get('/version'),
    requests.get('/nodes', [200, 404]),
    requests.get('/metrics'),
  ]);
  const time = new Date().toISOString();
  const instead = list?.status === 404 ? nodeIn(version?.body, metrics?.body) : undefined;
  if (!requests.isReachable || instead !== undefined) {
    const agent = {
      reachable: requests.isReachable,
      ...(instead !== undefined && { instead }),
      healthy: false,
      failed_checks: [],
    };
    return {
      time,
      url,
      healthy: false,
      agent,
      nodes: [],
      certificates: [],
      engines: [],
      warnings: [],
      errors: [...requests.unreachable],
    };
  }
  const limited = limitCalls(MAX_REQUESTS);
  const withLevel = async (node: NodeStatus): Promise<NodeStatus> => {
    // The request would fail for the same reason.
    if (!node.up) return node;
    return { ...node, level: levelIn(await requests.get(`/nodes/${encodeURIComponent(node.name)}/logspec`)) };
  };
  const nodes = await Promise.all(nodesIn(list?.body).map((node) => limited(() => withLevel(node))));
  const agent: AgentStatus = {
    reachable: true,
    version: stringIn(version?.body, 'Version'),
    healthy: health?.status === 200,
    failed_checks: failedChecksIn(health?.body),
    level: isLevelOfNode(nodes) ? undefined : levelIn(await requests.get('/logspec')),
  };
  const { errors } = requests;
  const isHealthy = agent.healthy && nodes.every((node) => node.up && node.healthy) && errors.length === 0;
  const certificates = certificatesIn(metrics?.body);
  const engines = enginesIn(metrics?.body);
  const checks = [...warningsIn(list?.body), ...nodes.flatMap((node) => node.warnings)];
  const warnings = [...describeChecks(checks), ...engineWarnings(engines, nodes)];
  return { time, url, healthy: isHealthy, agent, nodes, certificates, engines, warnings, errors };
}

/** One line for each reason: file systems and files that several components share are one problem. */
export function describeChecks(checks: readonly CheckStatus[]): string[] {
  const byReason = new Map<string, string[]>();
  for (const { component, reason } of checks) {
    const text = joinLines(reason);
    byReason.set(text, [...(byReason.get(text) ?? []), component]);
  }
  return [...byReason].map(([reason, [first, ...others]]) => {
    const rest = others.length === 0 ? '' : ` and ${others.length} more`;
    return `${first}${rest}: ${reason}`;
  });
}

/** Which node has these documents; undefined if they are not those of a node. */
function nodeIn(version: string | undefined, metrics = ''): string | undefined {
  if (stringIn(version, 'CommitSHA') === undefined) return undefined;
  if (/^# TYPE (?:endorser|gossip|chaincode)_/m.test(metrics)) return 'a peer';
  return /^# TYPE (?:broadcast|blockcutter|consensus)_/m.test(metrics)
    ? 'an orderer'
    : 'a peer or an orderer';
}

/** Whether `/logspec` is that of the only node, unless that is switched off. */
function isLevelOfNode([first, ...others]: readonly NodeStatus[]): boolean {
  return first !== undefined && others.length === 0 && (!first.up || first.level !== undefined);
}

function describeStatus({ status, body }: ServiceResponse, url: URL): string {
  const reason = stringIn(body, 'error');
  const hint = status === 401 ? '; set --cert and --key' : '';
  return onOneLine(
    `HTTP status ${status}${reason === undefined ? '' : `: ${withoutQuery(reason, url)}`}${hint}`,
  );
}
