// The built agent beside nodes.

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import { TestCa } from '../../helpers/certificates.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { startProgram, urlOf, type RunningProgram } from '../../helpers/program.js';
import { clientOptions } from '../../helpers/tls-client.js';
import type { Endpoint } from './endpoint.js';
import { CHANNEL } from './network-files.js';
import type { FabricNode } from './node.js';

/** Time between two background checks, in milliseconds. */
export const HEALTH_INTERVAL = 2_000;

/** How the agent is started. */
export interface AgentOptions {
  /** Pushes every second to this port, besides the prometheus sink. */
  readonly statsd?: { readonly port: number; readonly prefix?: string };
  /** Further variables. @default none */
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether its listener has mutual TLS, as it must when the nodes have TLS. @default false */
  readonly isTls?: boolean;
  /** Whether the agent reads the logs of the nodes. @default false */
  readonly hasLogs?: boolean;
  /** The names of the nodes in the agent, in their order. @default those of several orderers, otherwise what their files say */
  readonly names?: readonly string[];
  /** Further plugin declarations. @default none */
  readonly plugins?: readonly object[];
}

/** A running agent; its endpoint has the certificate of an operator. */
export interface NodeAgent extends Endpoint {
  readonly program: RunningProgram;
  /** Its endpoint for clients without a certificate. */
  readonly anonymous: Endpoint;
}

/** The name of a node in the agent, with one orderer: only the file of a peer names the node. */
export const nameOf = ({ kind, name }: FabricNode): string => (kind === 'peer' ? name : 'orderer');

/** The components that fail while a node is down: that of the node, and the channel of its only orderer. */
export function componentsWhenDown(node: FabricNode): string[] {
  const name = nameOf(node);
  return node.kind === 'orderer' ? [`channels/${CHANNEL}`, name] : [name];
}

/**
 * Starts the agent beside nodes, with the variables of the node if there is one. It is killed at the end of the test. Several orderers have
 * their own names.
 */
export async function startBeside(
  t: ExecutionContext,
  nodes: readonly FabricNode[],
  { statsd, environment = {}, isTls = false, plugins = [], names, hasLogs = false }: AgentOptions = {},
): Promise<NodeAgent> {
  const directory = temporaryFolder(t);
  const tls = isTls ? createTls(directory) : undefined;
  const pushing = statsd && {
    plugin: 'statsd',
    options: { address: `127.0.0.1:${statsd.port}`, writeInterval: '1s', prefix: statsd.prefix ?? '' },
  };
  const isNamed = names !== undefined || nodes.filter(({ kind }) => kind === 'orderer').length > 1;
  const settings = {
    ...(isNamed && {
      nodes: nodes.map(({ name, file, directory: own }, index) => ({
        name: names?.[index] ?? name,
        config: file,
        ...(hasLogs && { log: join(own, 'log') }),
      })),
    }),
    operations: { listenAddress: '127.0.0.1:0', ...(tls && { tls: tls.settings }) },
    health: { interval: `${HEALTH_INTERVAL}ms` },
    plugins: [{ plugin: 'prometheus' }, ...(pushing === undefined ? [] : [pushing]), ...plugins],
  };
  const own = temporaryFolder(t, { 'agent.yaml': JSON.stringify(settings) });
  const [first] = nodes;
  const program = startProgram(
    t,
    [
      'start',
      '--config',
      join(own, 'agent.yaml'),
      ...(isNamed ? [] : nodes.flatMap(({ file }) => ['--node', file])),
    ],
    { environment: { ...(nodes.length === 1 && first?.environment()), ...environment } },
  );
  const url = await urlOf(program);
  return {
    program,
    url,
    tls: tls && clientOptions(tls.ca, tls.operator),
    anonymous: { url, tls: tls && clientOptions(tls.ca) },
  };
}

function createTls(directory: string) {
  const ca = new TestCa(directory, 'agent-ca');
  const server = ca.issue('agent', 'serverAuth');
  return {
    ca: ca.cert,
    operator: ca.issue('operator', 'clientAuth'),
    settings: {
      enabled: true,
      cert: { file: server.cert },
      key: { file: server.key },
      clientRootCAs: { files: [ca.cert] },
    },
  };
}

/** Linux gives the start time of a process with an error of up to a second; in milliseconds. */
const START_TIME_ERROR = 1_500;

/** Waits until an agent that starts now is younger than the running nodes beyond doubt. */
export const untilOlder = (): Promise<void> => sleep(START_TIME_ERROR);

/** Starts nodes so late that they are younger than the agent beyond doubt: it then pushes all that they count. */
export async function startYounger(...nodes: readonly FabricNode[]): Promise<void> {
  await sleep(START_TIME_ERROR);
  for (const node of nodes) await node.start();
}

/** Stops the agent with SIGTERM; returns its exit status. */
export async function stopAgent({ program }: NodeAgent): Promise<number | null> {
  program.child.kill('SIGTERM');
  return (await program.ended).status;
}
