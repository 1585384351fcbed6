// Resident memory of the built agent with the plugins docker, node and prometheus, against bare node. The budget counts all resident pages, also those
// of the executable of Node.js. README.md explains what moves them.

import { fork, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { PROGRAM } from '../helpers/program.js';
import { residentMemory, servedUrl } from './fleet-agent.js';
import { messageOf } from './message.js';
import { median, row, type Row } from './report.js';

/** Requests of /healthz, and of /metrics. */
const REQUESTS = 100;
/** Lines of metrics of the node, as many as a peer with a few channels has. */
const LINES = '1000';
/** Agents that are measured; the row is the median. */
const AGENTS = 5;
/** V8 collects garbage when a process was idle for 8 s. Idle time before memory is read, in milliseconds. */
const IDLE = 20_000;
/** Budget above bare node, in MiB. */
const BUDGET = 60;
const MIB = 2 ** 20;

/** What the unit of systemd and the image set in the environment of the agent. */
export const ALLOCATOR = { MALLOC_ARENA_MAX: '1' };

/** Measures agents after {@link REQUESTS} probes and scrapes. */
export async function benchAgentMemory(): Promise<Row[]> {
  const directory = mkdtempSync(join(tmpdir(), 'bench-'));
  const engine = await startEngine(join(directory, 'docker.sock'));
  const node = fork(fileURLToPath(new URL('fleet-nodes.js', import.meta.url)), ['1', LINES]);
  const bare = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e3)']);
  const agents: ChildProcess[] = [];
  try {
    const file = join(directory, 'agent.yaml');
    const [port = 0] = await messageOf<number[]>(node);
    writeFileSync(file, configuration(directory, port));
    for (let count = 0; count < AGENTS; count += 1) {
      const agent = spawn(process.execPath, [PROGRAM, 'start', '--config', file], {
        stdio: ['ignore', 'ignore', 'pipe'],
        env: { ...process.env, ...ALLOCATOR },
      });
      agents.push(agent);
      await loadAgent(await servedUrl(agent));
    }
    await wait(IDLE);
    return [rowOf(agents.map(memoryOf), memoryOf(bare))];
  } finally {
    for (const child of [...agents, node, bare]) child.kill();
    engine.close();
    engine.closeAllConnections();
    rmSync(directory, { recursive: true });
  }
}

async function loadAgent(url: string): Promise<void> {
  for (let count = 0; count < REQUESTS; count += 1)
    for (const path of ['/healthz', '/metrics']) await expectOk(`${url}${path}`);
}

/** The resident memory of a process, and the part of it that is not pages of files, in MiB. */
interface Memory {
  readonly resident: number;
  readonly anonymous: number;
}

function memoryOf(child: ChildProcess): Memory {
  return { resident: residentMemory(child) / MIB, anonymous: residentMemory(child, 'RssAnon') / MIB };
}

function rowOf(agents: readonly Memory[], bare: Memory): Row {
  const above = agents.map(({ resident }) => resident - bare.resident);
  const anonymous = median(agents.map((each) => each.anonymous)) - bare.anonymous;
  const [least, most] = [Math.min(...above), Math.max(...above)].map((each) => each.toFixed(0));
  return row(
    `agent with docker, node and prometheus after ${REQUESTS} probes and scrapes, MiB above bare node`,
    median(above),
    '<=',
    BUDGET,
    `median of ${AGENTS} agents, ${least} to ${most}; ${anonymous.toFixed(0)} without pages of files; bare node ${bare.resident.toFixed(0)} MiB`,
  );
}

const configuration = (
  directory: string,
  port: number,
): string => `operations: { listenAddress: '127.0.0.1:0' }
metrics: { provider: prometheus }
plugins:
  - { plugin: docker, options: { endpoint: 'unix://${directory}/docker.sock' } }
  - { plugin: node, options: { kind: peer, address: '127.0.0.1:${port}' } }
`;

/** A Docker engine that responds to pings and says its version. */
async function startEngine(path: string): Promise<Server> {
  const server = createServer(({ url }, response) =>
    response.end(url === '/version' ? '{"Version":"27.3.1"}' : 'OK'),
  );
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return server;
}

async function expectOk(url: string): Promise<void> {
  const response = await fetch(url);
  const body = await response.text();
  if (response.status !== 200) throw new Error(`${url}: ${response.status}: ${body}`);
}
