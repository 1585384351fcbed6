// A stand-in for the operations endpoint of a node, an endpoint that sends requests to it, and a server with the routes of nodes.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';
import type { NodeSettings } from '../../config/index.js';
import {
  AgentError,
  LeveledLoggers,
  type FailedPart,
  type LogEntry,
  type SourceFamily,
  type SourceState,
} from '../../core/contract/index.js';
import type { ChannelDocument } from '../../core/contract/internal/index.js';
import type { NodeEndpoint } from '../../core/contract/metric-source.js';
import { createLeasedSpec, createLogging, type LeasedSpec } from '../../core/logging/index.js';
import { FactStore, nodeRoutes, Nodes } from '../../core/nodes/index.js';
import { startServer } from './server.js';

/** A request that a stand-in received. */
export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A stand-in for a node. */
export interface StandInNode {
  /** Its logging specification. */
  spec: string;
  /** What it responds to `GET /version`. */
  version: string;
  /** Handles a request instead of the default. */
  override: ((request: ReceivedRequest, response: ServerResponse) => void) | undefined;
  readonly received: ReceivedRequest[];
  readonly url: string;
  /** Closes the listener and all connections. */
  close(): Promise<void>;
}

/** Starts a stand-in for a node with `/healthz`, `/logspec`, `/metrics` and `/version`. */
export async function startStandInNode(t: ExecutionContext): Promise<StandInNode> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const received = { method, url, headers, body: Buffer.concat(chunks).toString() };
      node.received.push(received);
      if (node.override === undefined) respond(node, received, response);
      else node.override(received, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const node: StandInNode = {
    spec: 'info',
    version: 'v3.0.0',
    override: undefined,
    received: [],
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  t.teardown(() => node.close());
  return node;
}

function respond(node: StandInNode, { method, url, body }: ReceivedRequest, response: ServerResponse): void {
  const json = (status: number, value: unknown): void =>
    send(response, status, { 'Content-Type': 'application/json' }, JSON.stringify(value));
  if (url === '/logspec' && method === 'PUT') {
    const { spec } = JSON.parse(body) as { spec: string };
    if (spec === 'refused') return json(400, { error: "the node refuses 'refused'" });
    node.spec = spec === '' ? 'info' : spec;
    send(response, 204);
  } else if (url === '/logspec') json(200, { spec: node.spec });
  else if (url === '/version') json(200, { CommitSHA: 'abc', Version: node.version });
  else if (url === '/healthz') json(503, { status: 'Service Unavailable', failed_checks: [] });
  else send(response, 200, { 'Content-Type': 'text/plain; version=0.0.4', 'X-Own': '1' }, 'a 1\n');
}

/** Sends a response. Not with a chain of calls: restify patches `writeHead`, which then returns nothing. */
export function send(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>> = {},
  body?: string,
): void {
  response.writeHead(status, headers);
  response.end(body);
}

/** An endpoint that sends requests with `fetch`. */
export function fetchEndpoint(url: string, kind: NodeEndpoint['kind'] = 'peer'): NodeEndpoint {
  return {
    kind,
    async request({ method, path, body, requestId, signal }) {
      try {
        const response = await fetch(url + path, {
          method,
          signal,
          redirect: 'manual',
          ...(body !== undefined && { body }),
          ...(requestId !== undefined && { headers: { 'X-Request-Id': requestId } }),
        });
        return {
          status: response.status,
          contentType: response.headers.get('content-type') ?? '',
          body: Buffer.from(await response.arrayBuffer()),
        };
      } catch (error) {
        throw new AgentError('NODE_UNREACHABLE', `${url}: ${String((error as Error).cause ?? error)}`);
      }
    },
  };
}

/** A node of a server with the routes of nodes. */
export interface TestNode {
  readonly name: string;
  readonly endpoint: NodeEndpoint;
  /** What the settings switch off. */
  readonly settings?: Partial<NodeSettings>;
  /** The state of its source; without it the source has read nothing. */
  readonly state?: () => Omit<SourceState, 'name'>;
  /** What its checker knows of its channels; without it there is no such checker. */
  readonly channels?: () => Promise<readonly ChannelDocument[]>;
}

/** A gauge with one label, `channel`. */
export function channelGauge(name: string, values: Readonly<Record<string, number>>): SourceFamily {
  const [namespace = '', subsystem = '', ...rest] = name.split('_');
  return {
    name,
    help: 'x',
    type: 'gauge',
    parts: { namespace, subsystem, name: rest.join('_') },
    series: Object.entries(values).map(([channel, value]) => ({ labels: { channel }, value })),
  };
}

/** A server with the routes of nodes. */
export interface NodesServer {
  readonly port: number;
  readonly url: string;
  readonly specs: readonly LeasedSpec[];
  /** The specification of the agent itself. */
  readonly ownSpec: () => string;
  readonly logged: readonly LogEntry[];
  readonly failedChecks: FailedPart[];
  readonly warnings: FailedPart[];
}

/** Starts a server with the routes of nodes, as the agent has them. */
export async function startNodesServer(
  t: ExecutionContext,
  nodes: readonly TestNode[],
  tls?: Parameters<typeof startServer>[2],
  options?: Parameters<typeof startServer>[3],
): Promise<NodesServer> {
  const logged: LogEntry[] = [];
  const failedChecks: FailedPart[] = [];
  const warnings: FailedPart[] = [];
  const loggers = new LeveledLoggers({ write: (entry) => void logged.push(entry) });
  const logging = createLogging(loggers);
  const registry = new Nodes(
    nodes.map(({ name, endpoint, settings }) => ({ name, kind: endpoint.kind, ...settings })),
    loggers.logger('nodes'),
  );
  for (const { name, endpoint } of nodes)
    registry.add({
      name,
      origin: 'agent.yaml: plugins[0]',
      plugin: { node: endpoint, read: async () => ({ families: [] }) },
      requireRunning: () => undefined,
    });
  const own = createLeasedSpec(
    {
      name: 'the agent',
      get: () => logging.spec(),
      set: (spec, { caller }) => logging.activate(spec, caller),
    },
    loggers.logger('logging'),
  );
  const list = (): ReturnType<typeof registry.describe> =>
    registry.describe({
      states: async () =>
        nodes.flatMap(({ name, state }) => (state === undefined ? [] : [{ name, ...state() }])),
      report: async () => ({ failedChecks, warnings }),
      pastOf: () => [],
      isRestarting: () => false,
      checksFiles: (component) => component.startsWith('peer0/disk'),
    });
  const facts = new FactStore();
  for (const { name, channels } of nodes)
    facts.of(`${name}/channel-config`, name).publish('configs', channels);
  const routes = nodeRoutes(registry, own, list, facts);
  const specs = [own, ...registry.levels.values()];
  t.teardown(() => Promise.all(specs.map((spec) => spec.stop())));
  const { port } = await startServer(t, routes, tls, options);
  const url = `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`;
  return { port, url, specs, ownSpec: () => loggers.spec(), logged, failedChecks, warnings };
}
