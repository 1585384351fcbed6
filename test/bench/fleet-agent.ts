// An agent as a process beside many stand-in nodes.

import { fork, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROGRAM } from '../helpers/program.js';
import { messageOf } from './message.js';

/** What is started. */
export interface FleetOptions {
  readonly size: number;
  /** Lines of metrics of each node. */
  readonly lines: number;
  /** Of Node.js. @default none */
  readonly flags?: readonly string[];
}

/** A running agent and its nodes. */
export interface Fleet {
  readonly agent: ChildProcess;
  readonly url: string;
  readonly end: () => void;
}

/** Starts nodes, and an agent beside them. */
export async function startFleet({ size, lines, flags = [] }: FleetOptions): Promise<Fleet> {
  const directory = mkdtempSync(join(tmpdir(), 'bench-'));
  const nodes = fork(fileURLToPath(new URL('fleet-nodes.js', import.meta.url)), [
    String(size),
    String(lines),
  ]);
  let agent: ChildProcess | undefined;
  const end = (): void => {
    agent?.kill();
    nodes.kill();
    rmSync(directory, { recursive: true });
  };
  try {
    const ports = await messageOf<number[]>(nodes);
    const file = join(directory, 'agent.yaml');
    writeFileSync(file, configuration(ports));
    agent = spawn(process.execPath, [...flags, PROGRAM, 'start', '--config', file], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    return { agent, url: await servedUrl(agent), end };
  } catch (error) {
    end();
    throw error;
  }
}

function configuration(ports: readonly number[]): string {
  const plugins = ports.flatMap((port, index) => [
    `  - { plugin: node, name: n${index}, options: { kind: peer, address: '127.0.0.1:${port}' } }`,
    `  - { plugin: node-health, name: n${index}, options: { address: '127.0.0.1:${port}' } }`,
  ]);
  return `operations: { listenAddress: '127.0.0.1:0' }\nmetrics: { provider: prometheus }\nplugins:\n${plugins.join('\n')}\n`;
}

/** The URL in the log line that reports the start. */
export function servedUrl({ stderr }: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let log = '';
    stderr?.on('data', (chunk: Buffer) => {
      log += chunk.toString('utf8');
      const url = /serving on (\S+)/.exec(log)?.[1];
      if (url !== undefined) resolve(url);
    });
    stderr?.on('end', () => reject(new Error(`the agent did not start:\n${log}`)));
  });
}

/** The value of a family of the agent without labels. */
export function valueOf(text: string, name: string): number {
  return Number(new RegExp(`^fabric_ops_agent_${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

/** The resident memory of a process, in bytes. @param which a field of `/proc/PID/status` @default `VmRSS`, all of it */
export function residentMemory({ pid }: ChildProcess, which: 'VmRSS' | 'RssAnon' = 'VmRSS'): number {
  const status = readFileSync(`/proc/${pid ?? ''}/status`, 'utf8');
  return Number(new RegExp(`^${which}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024;
}
