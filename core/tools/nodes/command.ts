// `nodes`: finds the nodes of Fabric on this host, and writes the configuration of an agent that monitors them.

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { NODE_FILES, readEnvironmentFile, type Environment } from '../../../config/index.js';
import { ownCommand } from '../../common/files/build-info.js';
import { onOneLine } from '../../common/text/one-line.js';
import { shellPath } from '../../common/text/shell-word.js';
import { describeSystemError } from '../../common/text/system-error.js';
import { table } from '../../common/text/table.js';
import { AgentError, reasonOf } from '../../contract/index.js';
import { readArguments } from '../../cli/arguments.js';
import { EXIT, type Command } from '../../cli/command.js';
import { findContainers, type ContainerEngine, type NodeContainer } from './containers.js';
import { configOf, nodeProcesses, type NodeProcess } from '../../node-processes.js';

/** A node that runs on this host. */
interface FoundNode {
  /** The name of its files. */
  readonly name: string;
  readonly kind: NodeProcess['kind'];
  /** Where it runs, for people. */
  readonly place: string;
  /** Writes its variables to a directory, and its configuration file if this host has none. Returns their paths. */
  readonly write: (directory: string) => Promise<NodeFilePaths>;
}

interface NodeFilePaths {
  readonly config: string;
  readonly environment: string;
}

/** The command `nodes`. @param proc the directory of the system with the processes */
export const nodesCommand = (proc: string): Command => ({
  help: `Usage: fabric-ops-agent nodes [--write DIR]

Lists the peers and orderers that run on this host: processes, and containers of
Docker or Podman. Nothing is sent to a node.

  --write DIR   write agent.yaml with these nodes to this directory, with their
                variables, which may have secrets, and with configuration files
                that only their containers have

The exit status is 3 if no node was found, or if there may be others.
`,
  async run(args, process) {
    const { environment, cwd } = process;
    const { values } = readArguments(args, { write: { type: 'string' } });
    const { nodes, problems } = await findNodes(environment, proc);
    const directory = values.write ?? 'fabric-nodes';
    const lines = table(
      [['NODE', 'KIND', 'RUNS IN'], ...nodes.map(({ name, kind, place }) => [name, kind, place])],
      '',
    );
    if (nodes.length > 0) process.out(`${lines.map(onOneLine).join('\n')}\n\n`);
    const failed =
      values.write === undefined || nodes.length === 0
        ? []
        : await writeNodes(nodes, resolve(cwd, directory));
    for (const problem of [...problems, ...failed])
      process.error(`fabric-ops-agent: warning: ${onOneLine(problem)}\n`);
    const program = ownCommand();
    const start = `${program} start --config ${shellPath(join(directory, 'agent.yaml'))}`;
    process.out(
      nodes.length === 0
        ? 'no peer and no orderer was found\n'
        : values.write === undefined
          ? `To monitor them: ${program} nodes --write ${directory} && ${start}\n`
          : `${join(directory, 'agent.yaml')} has ${nodes.length - failed.length} of ${nodes.length} nodes. To monitor them: ${start}\n`,
    );
    return nodes.length === 0 || problems.length + failed.length > 0 ? EXIT.incomplete : EXIT.ok;
  },
});

/** @returns the nodes, and one line for each place where others may run */
async function findNodes(
  environment: Environment,
  proc: string,
): Promise<{ readonly nodes: readonly FoundNode[]; readonly problems: readonly string[] }> {
  const processes = nodeProcesses(proc);
  const own = processes.filter(({ isInContainer }) => isInContainer === false);
  const foreign = processes.filter((each) => !own.includes(each));
  const containers = await findContainers(environment);
  if ('nodes' in containers) {
    const { nodes: found, engine } = containers;
    const missing = foreign.length - found.length;
    return {
      nodes: [...ofProcesses(own, proc), ...found.map((each) => ofContainer(each, engine))],
      problems: missing > 0 ? [`${othersText(foreign, missing)}; run this command as root`] : [],
    };
  }
  const unseen = foreign.length === 0 ? 'containers were not listed' : othersText(foreign, foreign.length);
  return { nodes: ofProcesses(own, proc), problems: [`${unseen}: ${containers.problem}`] };
}

/** Nodes in containers that were not listed, and nodes of other users. @param count of those that are not listed */
const othersText = (foreign: readonly NodeProcess[], count: number): string =>
  `${count} more of these processes ${count === 1 ? 'is' : 'are'} in containers or of another user: ${foreign.map(({ kind, pid }) => `${pid} (${kind})`).join(', ')}`;

/** Processes of one kind have numbers in the order of their ids. */
const ofProcesses = (found: readonly NodeProcess[], proc: string): FoundNode[] =>
  found.map((each, index) => {
    const earlier = found.slice(0, index).filter(({ kind }) => kind === each.kind);
    return ofProcess(each, `${each.kind}${earlier.length + 1}`, proc);
  });

function ofProcess(found: NodeProcess, name: string, proc: string): FoundNode {
  const { kind, pid } = found;
  return {
    name,
    kind,
    place: `process ${pid}`,
    async write(directory) {
      const { file, variables } = configOf(found, proc);
      const environment = join(directory, `${name}.env`);
      writeFileSync(environment, variables, { mode: 0o600 });
      return { config: file, environment };
    },
  };
}

function ofContainer(found: NodeContainer, engine: ContainerEngine): FoundNode {
  const { name, kind, document } = found;
  return {
    name,
    kind,
    place: `container ${name}`,
    async write(directory) {
      const environment = join(directory, `${name}.json`);
      writeFileSync(environment, document, { mode: 0o600 });
      const { container } = readEnvironmentFile(environment, directory);
      if (container === undefined) throw new Error('its description has no mounts and no network');
      const inside = join(container.directory, NODE_FILES[kind]);
      const onHost = container.hostPath(inside);
      if (onHost !== undefined && existsSync(onHost)) return { config: onHost, environment };
      const config = join(directory, `${name}.yaml`);
      await engine.copy(found, inside, config);
      return { config, environment };
    },
  };
}

/** Writes the files of the nodes and agent.yaml. @returns one line for each node without files */
async function writeNodes(nodes: readonly FoundNode[], directory: string): Promise<readonly string[]> {
  const failed: string[] = [];
  const entries: string[] = [];
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    for (const { name, place, write } of nodes)
      try {
        const { config, environment } = await write(directory);
        entries.push(
          `  - { config: ${JSON.stringify(config)}, environment: ${JSON.stringify(environment)} }\n`,
        );
      } catch (error) {
        failed.push(`${name} (${place}) is not in agent.yaml: ${reasonOf(error)}`);
      }
    writeFileSync(join(directory, 'agent.yaml'), `${HEADER}nodes:\n${entries.join('')}`);
  } catch (error) {
    throw new AgentError('USAGE', `--write ${directory}: ${describeSystemError(error)}`, { cause: error });
  }
  return failed;
}

const HEADER = `# Written by \`fabric-ops-agent nodes\`. Write it again after a container was made again, or a node has other variables.

operations:
  listenAddress: 127.0.0.1:9543

metrics:
  provider: prometheus

`;
