// Runs the built agent with plugins whose source is in the test.

import type { ExecutionContext } from 'ava';
import type { PluginKind } from '../../core/contract/plugin.js';
import { temporaryFolder } from './folder.js';
import { type ProgramOptions, type RunningProgram, startProgram, urlOf } from './program.js';

/** Plugin modules, and the settings that declare them. */
export interface PluginProject {
  /** Source by file name. */
  readonly files: Readonly<Record<string, string>>;
  /** The content of `agent.yaml`. @default for the address: a free port of 127.0.0.1 */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** An agent that runs in the directory of a project. */
export interface ProjectProgram extends RunningProgram {
  /** The directory of the project. */
  readonly folder: string;
}

/** An agent that serves. */
export interface ServingProgram extends ProjectProgram {
  readonly url: string;
  readonly port: number;
}

/** Creates the directory of a project, with its `agent.yaml`; it is removed after the test. */
export function projectFolder(t: ExecutionContext, { files, settings }: PluginProject): string {
  return temporaryFolder(t, {
    'package.json': '{"type":"module"}',
    'agent.yaml': JSON.stringify({ operations: { listenAddress: '127.0.0.1:0' }, ...settings }),
    ...files,
  });
}

/** Starts the agent in the directory of a project. */
export function startProject(
  t: ExecutionContext,
  project: PluginProject,
  options: ProgramOptions = {},
): ProjectProgram {
  const folder = projectFolder(t, project);
  return { folder, ...startProgram(t, ['start', '--config', 'agent.yaml'], { cwd: folder, ...options }) };
}

/** Starts the agent and waits until it serves. */
export async function serveProject(
  t: ExecutionContext,
  project: PluginProject,
  options?: ProgramOptions,
): Promise<ServingProgram> {
  const program = startProject(t, project, options);
  const url = await urlOf(program);
  return { ...program, url, port: Number(new URL(url).port) };
}

/** The source of a plugin; `create` is the body of its create function. */
export function pluginSource(kind: PluginKind, name: string, create: string): string {
  return `export default { apiVersion: 1, kind: '${kind}', name: '${name}', options: {}, create(context) { ${create} } };\n`;
}
