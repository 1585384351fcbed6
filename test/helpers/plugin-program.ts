// Runs the built agent with plugins that a test makes up.

import type { ExecutionContext } from 'ava';
import { temporaryFolder } from './folder.js';
import { startProgram, type ProgramOptions, type RunningProgram } from './program.js';

/** Plugin modules of a test, and the settings that declare them. */
export interface PluginProject {
  /** Source by file name. */
  readonly files: Readonly<Record<string, string>>;
  /** As in `agent.yaml`; without an address it listens on a free port of 127.0.0.1. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** A program that serves. */
export interface ServingProgram extends RunningProgram {
  readonly url: string;
  readonly port: number;
}

/** Starts the agent in the folder of the project, with its `agent.yaml`. */
export function startProject(
  t: ExecutionContext,
  { files, settings }: PluginProject,
  options: ProgramOptions = {},
): RunningProgram {
  const folder = temporaryFolder(t, {
    'package.json': '{"type":"module"}',
    'agent.yaml': JSON.stringify({ operations: { listenAddress: '127.0.0.1:0' }, ...settings }),
    ...files,
  });
  return startProgram(t, ['start', '--config', 'agent.yaml'], { cwd: folder, ...options });
}

/** Starts the agent and waits until it serves. */
export async function serveProject(
  t: ExecutionContext,
  project: PluginProject,
  options?: ProgramOptions,
): Promise<ServingProgram> {
  const program = startProject(t, project, options);
  const [, url = '', port] = await program.line(/serving on (http:\S+:(\d+))/);
  return { ...program, url, port: Number(port) };
}

/** The source of a plugin. */
export function pluginSource(kind: 'health' | 'metrics' | 'logging', name: string, create: string): string {
  return `export default { apiVersion: 1, kind: '${kind}', name: '${name}', options: {}, create(context) { ${create} } };\n`;
}

/** The line of a metric; undefined without it. */
export async function metricLine(url: string, series: string): Promise<string | undefined> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return text.split('\n').find((line) => line.startsWith(`${series} `));
}

/** What /healthz says: its status, and the reasons by component. */
export async function healthOf(
  url: string,
): Promise<{ status: number; failed: Readonly<Record<string, string>> }> {
  const response = await fetch(`${url}/healthz`);
  const { failed_checks: failed = [] } = (await response.json()) as {
    failed_checks?: { component: string; reason: string }[];
  };
  return {
    status: response.status,
    failed: Object.fromEntries(failed.map(({ component, reason }) => [component, reason])),
  };
}
