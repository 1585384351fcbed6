// Adds the parts about each node to a bundle. They are read from the node itself, from its ledger folder or through a running agent.

import type { LoadedSettings } from '../../../config/index.js';
import { parseForeignJson } from '../../common/text/foreign-json.js';
import { onOneLine } from '../../common/text/one-line.js';
import { limitCalls } from '../../common/flow/limit-calls.js';
import { describeSystemError } from '../../common/text/system-error.js';
import { errorCodeOf, problemsOf } from '../../contract/errors.js';
import type { NodeResponse } from '../../contract/metric-source.js';
import type { Inspection } from '../../inspection.js';
import type { StatusDocument } from '../../status/document.js';
import type { Process } from '../../cli/command.js';
import { inspect } from '../inspect.js';
import { MAX_BODY_SIZE, type ClientOptions } from '../../cli/client.js';
import { getOfAgent, type RunningAgent } from './agent.js';
import { jsonLines, type Contents } from './contents.js';
import type { FolderNames } from './folder-names.js';

/** Time limit for the checks without a running agent, in milliseconds, unless `--timeout` is longer. */
const CHECK_TIMEOUT = 30_000;
/** Most nodes that are read at the same time. */
const MAX_NODES = 8;

/** Most nodes that are read although only the running agent names them. */
const MAX_OTHER_NODES = 250;

/** Why a person should read a log before sending it. */
const LOG = 'a log can have secrets in a form that is not recognized';

/** The parts of a bundle, and the facts for reading them. */
export interface Parts {
  readonly process: Process;
  readonly contents: Contents;
  readonly versions: string[];
  readonly folders: FolderNames;
  /** The time limit for a response that the user set, in milliseconds. */
  readonly timeout: number;
}

/**
 * Reads all nodes; without a running agent also runs the checks.
 *
 * @returns the status
 */
export async function readNodes(
  loaded: LoadedSettings,
  agent: RunningAgent | undefined,
  parts: Parts,
): Promise<StatusDocument | undefined> {
  const { process, contents, folders, timeout } = parts;
  const kinds = agent === undefined ? (['source', 'checker'] as const) : (['source'] as const);
  const work = async (inspection: Inspection): Promise<StatusDocument | undefined> => {
    const limited = limitCalls(MAX_NODES);
    const document = agent?.document ?? inspection.check();
    const readersOf = ({ name, kind, log, client }: Inspection['nodes'][number]): PartReaders => ({
      name,
      kind,
      log,
      get: async (path) => bodyOf(await client.request({ method: 'GET', path }, timeout)),
      channels: async () => {
        if (agent !== undefined) return getChannels(agent.options, name);
        // The checks read the ledger folders.
        await document;
        return jsonLines({ channels: await inspection.channelsOf(name) });
      },
    });
    const reads = inspection.nodes.map((node) => {
      const folder = folders.next(node.name);
      return limited(() => addNode(readersOf(node), folder, parts));
    });
    await Promise.all([document, ...reads]);
    return document;
  };
  try {
    return await inspect(loaded, { timeout: Math.max(CHECK_TIMEOUT, timeout), kinds }, process, work);
  } catch (error) {
    if (errorCodeOf(error) === 'AGENT_STOPPED') throw error;
    contents.miss('nodes', problemsOf(error).join('; '));
    return agent?.document;
  }
}

/** Reads nodes of the running agent that the settings do not name, through `/nodes/<name>`; at most {@link MAX_OTHER_NODES} of them. */
export async function readOtherNodes(
  { options, document }: RunningAgent,
  loaded: LoadedSettings | undefined,
  parts: Parts,
): Promise<void> {
  const known = new Set(loaded?.settings.nodes.map(({ name }) => name));
  const others = document.nodes.filter(({ name }) => !known.has(name));
  if (others.length > MAX_OTHER_NODES)
    parts.contents.miss(
      'nodes',
      `the running agent names ${others.length} nodes that the settings do not name; the first ${MAX_OTHER_NODES} were read`,
    );
  const limited = limitCalls(MAX_NODES);
  const reads = others.slice(0, MAX_OTHER_NODES).map(({ name, kind }) => {
    const node: PartReaders = {
      name,
      kind,
      get: (path) => getOfAgent(options, `${pathOf(name)}${path}`),
      channels: () => getChannels(options, name),
      log: undefined,
    };
    const folder = parts.folders.next(name);
    return limited(() => addNode(node, folder, parts));
  });
  await Promise.all(reads);
}

/** The path of a node in a running agent. @throws Error if the name would change the path */
function pathOf(name: string): string {
  if (/^\.{1,2}$/.test(name)) throw new Error(`a path of a URL cannot have the name '${name}'`);
  return `/nodes/${encodeURIComponent(name.toWellFormed())}`;
}

/** `/nodes/<name>/channels` of a running agent. */
async function getChannels(options: ClientOptions, name: string): Promise<string> {
  const body = await getOfAgent(options, `${pathOf(name)}/channels`);
  return jsonLines(parseForeignJson(body, MAX_BODY_SIZE));
}

/** Reads the parts of a node, directly or through a running agent. */
interface PartReaders {
  readonly name: string;
  readonly kind: string;
  /** Undefined: unknown. */
  readonly log: Inspection['nodes'][number]['log'];
  get(path: '/version' | '/metrics'): Promise<string>;
  channels(): Promise<string>;
}

/** @throws Error if the status is not 200 */
function bodyOf({ status, body }: NodeResponse): string {
  if (status !== 200) throw new Error(`HTTP status ${status}`);
  return new TextDecoder().decode(body);
}

async function addNode(node: PartReaders, folder: string, { contents, versions }: Parts): Promise<void> {
  const [version] = await Promise.all([
    contents.addRead(`${folder}/version.json`, () => node.get('/version')),
    contents.addRead(`${folder}/metrics.txt`, () => node.get('/metrics')),
    contents.addRead(`${folder}/channels.json`, () => node.channels()),
  ]);
  versions.push(onOneLine(`${node.kind} ${node.name}: ${version?.trim() ?? 'does not respond'}`));
  if (node.log === undefined) return contents.miss(`${folder}/log.txt`, 'node.log is not set');
  try {
    contents.add(`${folder}/log.txt`, await node.log.read(), LOG);
  } catch (error) {
    contents.miss(`${folder}/log.txt`, `${node.log.source}: ${describeSystemError(error)}`);
  }
}
