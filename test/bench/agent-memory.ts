// Resident memory of the built agent with the plugins docker, node and prometheus, against bare node.

import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { PROGRAM } from '../helpers/program.js';
import { residentMemory, servedUrl } from './fleet-agent.js';
import { row, type Row } from './report.js';

/** Requests of /healthz, and of /metrics. */
const REQUESTS = 100;
/** Lines of metrics of the node, as many as a peer with a few channels has. */
const LINES = '1000';
/** Idle time before memory is read, in milliseconds. */
const IDLE = 3_000;
/** Budget above bare node, in MiB. */
const BUDGET = 60;
const MIB = 2 ** 20;

/** Measures the agent after {@link REQUESTS} probes and scrapes. */
export async function benchAgentMemory(): Promise<Row[]> {
  const directory = mkdtempSync(join(tmpdir(), 'bench-'));
  const engine = await startEngine(join(directory, 'docker.sock'));
  const node = fork(fileURLToPath(new URL('fleet-nodes.js', import.meta.url)), ['1', LINES]);
  const bare = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e3)']);
  let agent: ChildProcess | undefined;
  try {
    const file = join(directory, 'agent.yaml');
    const [[port = 0]] = (await once(node, 'message')) as [number[]];
    writeFileSync(file, configuration(directory, port));
    agent = spawn(process.execPath, [PROGRAM, 'start', '--config', file], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const url = await servedUrl(agent);
    for (let count = 0; count < REQUESTS; count += 1)
      for (const path of ['/healthz', '/metrics']) await expectOk(`${url}${path}`);
    await wait(IDLE);
    const [resident, ofBare] = [residentMemory(agent) / MIB, residentMemory(bare) / MIB];
    const what = `agent with docker, node and prometheus after ${REQUESTS} probes and scrapes, MiB above bare node`;
    const note = `${resident.toFixed(0)} MiB, bare node ${ofBare.toFixed(0)} MiB`;
    return [row(what, resident - ofBare, '<=', BUDGET, note)];
  } finally {
    agent?.kill();
    node.kill();
    bare.kill();
    engine.close();
    engine.closeAllConnections();
    rmSync(directory, { recursive: true });
  }
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
