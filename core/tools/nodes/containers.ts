// The containers of peers and orderers on this host, from the command line of Docker or Podman.

import { parseForeignJson } from '../../common/text/foreign-json.js';
import { naturally } from '../../common/text/naturally.js';
import { onOneLine } from '../../common/text/one-line.js';
import { reasonOf } from '../../contract/index.js';
import { runCommand } from '../../kit/command.js';
import type { Environment } from '../../../config/index.js';
import type { NodeProcess } from '../../node-processes.js';

/** A running container of a node. */
export interface NodeContainer {
  readonly name: string;
  readonly kind: NodeProcess['kind'];
  /** The output of `docker inspect` for it. */
  readonly document: string;
}

/** Longest time of a command, in milliseconds. */
const TIMEOUT = 30_000;
/** Longest output of a command, in bytes: a container takes about 15 KB. */
const MAX_OUTPUT = 64 * 1024 * 1024;
/** A name of a container, which is part of the names of files. */
const NAME = /^\/?[A-Za-z0-9][\w.-]*$/;
/** A command that starts a node, also within a shell. */
const COMMANDS = [
  ['peer', /(?:^|[\s/;&])peer node start(?:\s|$)/],
  ['orderer', /(?:^|[\s/;&])orderer(?: start)?$/],
] as const;

/** The command line of an engine. */
export class ContainerEngine {
  readonly #program: string;
  readonly #environment: Environment;

  /** @param program `docker` or `podman` */
  constructor(program: string, environment: Environment) {
    this.#program = program;
    this.#environment = environment;
  }

  /**
   * The running containers of nodes.
   *
   * @returns undefined without the program
   * @throws Error when the engine does not respond
   */
  async nodes(): Promise<readonly NodeContainer[] | undefined> {
    let ids: readonly string[];
    try {
      ids = (await this.#run('ps', '--quiet', '--no-trunc')).split(/\s+/).filter((id) => id !== '');
    } catch (error) {
      if (((error as Error).cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') return undefined;
      throw error;
    }
    if (ids.length === 0) return [];
    const listed = parseForeignJson(await this.#run('inspect', ...ids), MAX_OUTPUT);
    return (Array.isArray(listed) ? listed : [])
      .flatMap(nodeIn)
      .toSorted((a, b) => naturally(a.name, b.name));
  }

  /** Copies a file of a container. @throws Error when there is none */
  async copy({ name }: NodeContainer, path: string, to: string): Promise<void> {
    await this.#run('cp', '--follow-link', `${name}:${path}`, to);
  }

  async #run(...args: readonly string[]): Promise<string> {
    const command = [this.#program, ...args];
    const environment = this.#environment;
    const { status, stdout, stderr } = await runCommand(
      { command, directory: '', environment },
      { signal: AbortSignal.timeout(TIMEOUT), maxOutput: MAX_OUTPUT },
    );
    if (status === 0) return stdout;
    throw new Error(`${this.#program} ${args[0]}: ${onOneLine(stderr.trim()) || `exit status ${status}`}`);
  }
}

/** The node in an entry of `docker inspect`; empty: it is none. */
function nodeIn(entry: unknown): NodeContainer[] {
  const { Name: name, Path: program, Args: args } = (entry ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof name !== 'string' || !NAME.test(name) || typeof program !== 'string') return [];
  const command = [program, ...(Array.isArray(args) ? args : [])].join(' ').trim();
  const found = COMMANDS.find(([, pattern]) => pattern.test(command));
  return found === undefined
    ? []
    : [{ name: name.replace(/^\//, ''), kind: found[0], document: JSON.stringify([entry], undefined, 1) }];
}

/** @returns the first engine with a program, with its containers of nodes; otherwise why there is none */
export async function findContainers(
  environment: Environment,
): Promise<
  | { readonly engine: ContainerEngine; readonly nodes: readonly NodeContainer[] }
  | { readonly problem: string }
> {
  for (const program of ['docker', 'podman']) {
    const engine = new ContainerEngine(program, environment);
    try {
      const nodes = await engine.nodes();
      if (nodes !== undefined) return { engine, nodes };
    } catch (error) {
      return { problem: reasonOf(error) };
    }
  }
  return { problem: 'there is no program docker or podman' };
}
