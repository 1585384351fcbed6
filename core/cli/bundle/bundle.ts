import { arch, release, type } from 'node:os';
import { resolve } from 'node:path';
import type { LoadedSettings } from '../../../config/index.js';
import { BUILT_IN } from '../../built-in.js';
import { readBuildInfo } from '../../common/files/build-info.js';
import { limitCalls } from '../../common/flow/limit-calls.js';
import { formatDuration } from '../../common/text/duration.js';
import { onOneLine } from '../../common/text/one-line.js';
import { describeSystemError } from '../../common/text/system-error.js';
import { errorCodeOf } from '../../contract/errors.js';
import { AgentError, reasonOf, type NodeResponse } from '../../contract/index.js';
import type { LoadedPlugin } from '../../host/index.js';
import type { InspectedNode, Inspection } from '../../inspection.js';
import { runCommand } from '../../kit/command.js';
import { problemsOf } from '../../settings.js';
import type { StatusDocument } from '../../status/document.js';
import { loadFrom, readArguments } from '../arguments.js';
import { EXIT, type Command, type Process } from '../command.js';
import { describeSettings } from '../config.js';
import { inspect } from '../inspect.js';
import {
  CLIENT_FLAGS,
  CLIENT_HELP,
  describeRequestError,
  findAgent,
  getResource,
  readClientOptions,
  type ClientOptions,
  type ClientValues,
  type ServiceResponse,
} from '../service-client.js';
import { describeStatus, readReport, reportOf, type StatusReport } from '../status-report.js';
import { formatScreen } from '../status-screen.js';
import { writeBundle } from './archive.js';
import { Contents } from './contents.js';
import { createMask } from './mask.js';
import { describeRules } from './rules.js';
import { collectSecrets } from './secrets.js';

/** Longest duration of the checks without a running agent, in milliseconds. */
const CHECK_TIMEOUT = 30_000;
/** How many nodes are read at the same time. */
const MAX_NODES = 8;
/** Programs whose versions are of interest, and longest time for each, in milliseconds. */
const PROGRAMS = [
  ['peer', 'version'],
  ['orderer', 'version'],
  ['configtxlator', 'version'],
] as const;
const PROGRAM_TIMEOUT = 5_000;

/** Writes what helps to find the cause of a problem, without secrets. */
export const bundle: Command = {
  name: 'bundle',
  summary: 'write a support bundle without secrets',
  help: `Usage: fabric-ops-agent bundle [--beside FILE]... [--url URL] [-o FILE.tar.gz|DIR]
                               [--timeout DURATION] [--ca FILE] [--cert FILE --key FILE]
                               [--config FILE]... [--set KEY=VALUE]...

Writes text files that help others to find a fault: the status of the running service, or what the
checks find without one, the alert rules that it makes true, the settings, versions, and of each
node the metrics, the channels in its ledger folder and the end of the log that node.log names.
Secrets are masked in every file: private keys, passwords, tokens, and the credentials of URLs.
manifest.json lists the files with sizes and SHA-256, and what could not be read with the reason.
The exit status is 0, or 3 if something is missing; it is 1 if nothing could be written.

  -o, --output PATH   a file that ends with .tar.gz, or a new directory (default: an archive in the
                      working directory, with the time in its name)
${CLIENT_HELP}`,
  async run(args, process) {
    const { values } = readArguments(args, { ...CLIENT_FLAGS, output: { type: 'string', short: 'o' } });
    const time = new Date();
    const path =
      values.output ?? `fabric-ops-agent-${time.toISOString().replaceAll(/[-:]|\.\d+/g, '')}.tar.gz`;
    if (path === '')
      throw new AgentError('USAGE', '--output must be a file or a directory: found an empty text');
    const contents = await collect(values, process);
    const { cwd } = process;
    const { version, commit } = readBuildInfo();
    const facts = { made_at: time.toISOString(), made_by: `fabric-ops-agent ${version} (${commit})` };
    const files = contents.pack(facts);
    try {
      writeBundle(resolve(cwd, path), files, time);
    } catch (error) {
      throw new Error(`${path}: the bundle cannot be written: ${describeSystemError(error)}`, {
        cause: error,
      });
    }
    const size = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
    process.out(`${onOneLine(path)}: ${files.length} files, ${size} bytes\n`);
    for (const { name, reason } of contents.missing)
      process.out(`${onOneLine(`missing: ${name}: ${reason}`)}\n`);
    return contents.missing.length === 0 ? EXIT.ok : EXIT.incomplete;
  },
};

/** The settings and the plugins, or why there are none. */
interface Found {
  readonly loaded: LoadedSettings | undefined;
  readonly plugins: readonly LoadedPlugin[];
  readonly problems: readonly string[];
}

async function collect(values: ClientValues, process: Process): Promise<Contents> {
  const found = await findSettings(values, process);
  const { loaded, plugins, problems } = found;
  const { beside = [], 'beside-env': variables = [], config = [], key = '' } = values;
  const files = [...beside, ...variables, ...config, key].filter((file) => file !== '');
  const contents = new Contents(createMask(collectSecrets({ loaded, plugins, files }, process)));
  if (loaded === undefined || problems.length > 0) contents.miss('config.txt', problems.join('; '));
  else contents.add('config.txt', describeSettings(loaded, plugins));

  const agent = await askAgent(values, process, contents);
  const versions = [...ownVersions(agent?.document, process), ...(await programVersions(process))];
  const document =
    loaded === undefined ? agent?.document : await readNodes(loaded, agent, { process, contents, versions });
  if (agent !== undefined) await readOtherNodes(agent, loaded, { process, contents, versions });
  contents.add('versions.txt', `${versions.join('\n')}\n`);
  if (document === undefined) contents.miss('status.txt', 'neither a running agent nor checks gave a status');
  else addStatus(agent, document, loaded?.files ?? [], contents);
  return contents;
}

async function findSettings(values: ClientValues, process: Process): Promise<Found> {
  let loaded: LoadedSettings | undefined;
  try {
    loaded = loadFrom(values, process);
    const { loadPlugins } = await import('../../host/index.js');
    return { loaded, plugins: await loadPlugins(loaded.settings.plugins, BUILT_IN), problems: [] };
  } catch (error) {
    if (errorCodeOf(error) !== 'SETTINGS_INVALID') throw error;
    return { loaded, plugins: [], problems: problemsOf(error) };
  }
}

/** A running agent. */
interface RunningAgent {
  readonly options: ClientOptions;
  readonly report: StatusReport;
  readonly document: StatusDocument;
}

/** The status of a running agent, and its metrics. @returns undefined if none responds */
async function askAgent(
  values: ClientValues,
  process: Process,
  contents: Contents,
): Promise<RunningAgent | undefined> {
  try {
    const options = await findAgent(readClientOptions(values, process, '/'));
    const report = await readReport(options);
    if (report.document === undefined) {
      const { instead = 'not an agent', errors } = report;
      contents.miss('agent', `${report.url}: ${errors.length > 0 ? errors.join('; ') : instead}`);
      return undefined;
    }
    await addText('agent/metrics.txt', () => getOfAgent(options, '/metrics'), contents);
    return { options, report, document: report.document };
  } catch (error) {
    if (errorCodeOf(error) === 'USAGE') throw error;
    contents.miss('agent', problemsOf(error).join('; '));
    return undefined;
  }
}

/** The body of a response of a running agent. @throws Error if the status is not 200 */
async function getOfAgent(options: ClientOptions, path: string): Promise<string> {
  let response: ServiceResponse;
  try {
    response = await getResource(options, path);
  } catch (error) {
    throw new Error(describeRequestError(error, options.url), { cause: error });
  }
  if (response.status !== 200) throw new Error(describeStatus(response, options.url));
  return response.body;
}

/** `/nodes/<name>/channels` of a running agent. */
async function getChannels(options: ClientOptions, name: string): Promise<string> {
  const body = await getOfAgent(options, `/nodes/${encodeURIComponent(name)}/channels`);
  return jsonLines(JSON.parse(body));
}

/** JSON of several lines, of which {@link Contents.add} can keep the last ones. */
const jsonLines = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

/** Adds a file. @returns its text */
async function addText(
  name: string,
  read: () => Promise<string>,
  contents: Contents,
): Promise<string | undefined> {
  try {
    const text = await read();
    contents.add(name, text);
    return text;
  } catch (error) {
    contents.miss(name, reasonOf(error));
    return undefined;
  }
}

/** What the parts of a bundle are added to. */
interface Parts {
  readonly process: Process;
  readonly contents: Contents;
  readonly versions: string[];
}

/**
 * Reads all nodes; without a running agent also runs the checks.
 *
 * @returns the status
 */
async function readNodes(
  loaded: LoadedSettings,
  agent: RunningAgent | undefined,
  { process, contents, versions }: Parts,
): Promise<StatusDocument | undefined> {
  const kinds = agent === undefined ? (['source', 'health'] as const) : (['source'] as const);
  const work = async (inspection: Inspection): Promise<StatusDocument | undefined> => {
    const limited = limitCalls(MAX_NODES);
    const document = agent?.document ?? inspection.check();
    const readsOf = (node: InspectedNode): NodeReads => ({
      name: node.name,
      kind: node.kind,
      log: node.log,
      get: async (path) => bodyOf(await node.get(path)),
      channels: async () => {
        if (agent !== undefined) return getChannels(agent.options, node.name);
        // The checks read the ledger folders.
        await document;
        return jsonLines({ channels: await node.channels() });
      },
    });
    const reads = inspection.nodes.map((node, index) =>
      limited(() => readNode(readsOf(node), folderOf(node, index), { process, contents, versions })),
    );
    await Promise.all([document, ...reads]);
    return document;
  };
  try {
    return await inspect(loaded, { timeout: CHECK_TIMEOUT, kinds }, process, work);
  } catch (error) {
    if (errorCodeOf(error) === 'AGENT_STOPPED') throw error;
    contents.miss('nodes', problemsOf(error).join('; '));
    return agent?.document;
  }
}

/** Reads nodes of the running agent that the settings do not name, as through `/nodes/<name>`. */
async function readOtherNodes(
  { options, document }: RunningAgent,
  loaded: LoadedSettings | undefined,
  parts: Parts,
): Promise<void> {
  const known = new Set(loaded?.settings.nodes.map(({ name }) => name));
  for (const [index, { name, kind }] of document.nodes.entries()) {
    if (known.has(name)) continue;
    const reads: NodeReads = {
      name,
      kind,
      get: (path) => getOfAgent(options, `/nodes/${encodeURIComponent(name)}${path}`),
      channels: () => getChannels(options, name),
      log: undefined,
    };
    await readNode(reads, folderOf({ name }, index), parts);
  }
}

/** The folder of a node; the number instead of a name that is too long for an archive. */
const folderOf = ({ name }: Pick<InspectedNode, 'name'>, index: number): string => {
  const encoded = encodeURIComponent(name);
  return `nodes/${encoded.length > 80 ? `node${index + 1}` : encoded}`;
};

/** What is read of a node. */
interface NodeReads extends Pick<InspectedNode, 'name' | 'log'> {
  readonly kind: string;
  get(path: '/version' | '/metrics'): Promise<string>;
  channels(): Promise<string>;
}

/** @throws Error if the status is not 200 */
function bodyOf({ status, body }: NodeResponse): string {
  if (status !== 200) throw new Error(`HTTP status ${status}`);
  return body.toString();
}

async function readNode(node: NodeReads, folder: string, { contents, versions }: Parts): Promise<void> {
  const [version] = await Promise.all([
    addText(`${folder}/version.json`, () => node.get('/version'), contents),
    addText(`${folder}/metrics.txt`, () => node.get('/metrics'), contents),
    addText(`${folder}/channels.json`, () => node.channels(), contents),
  ]);
  versions.push(`${node.kind} ${node.name}: ${version?.trim() ?? 'does not respond'}`);
  if (node.log === undefined)
    return contents.miss(`${folder}/log.txt`, 'the settings do not say where it is (node.log)');
  try {
    contents.add(`${folder}/log.txt`, await node.log.read());
  } catch (error) {
    contents.miss(`${folder}/log.txt`, `${node.log.source}: ${describeSystemError(error)}`);
  }
}

function ownVersions(document: StatusDocument | undefined, { nodeVersion }: Process): string[] {
  const { version, commit } = readBuildInfo();
  const agent = document?.agent;
  return [
    `this program: fabric-ops-agent ${version} (${commit})`,
    agent === undefined
      ? 'running agent: none responds'
      : `running agent: ${agent.version ?? 'unknown'} (${agent.commit ?? 'unknown'}), since ${agent.started_at}, for ${formatDuration(agent.uptime * 1000)}`,
    `Node.js ${nodeVersion}, ${type()} ${release()}, ${arch()}`,
  ];
}

/** What the programs in PATH say. */
async function programVersions({ environment }: Process): Promise<string[]> {
  const versions = PROGRAMS.map(async ([program, argument]) => {
    const options = {
      command: [program, argument],
      directory: '',
      environment: { PATH: environment['PATH'] ?? '' },
    };
    try {
      const { stdout, stderr } = await runCommand(options, { signal: AbortSignal.timeout(PROGRAM_TIMEOUT) });
      return `${program} ${argument}:\n${(stdout.trim() || stderr.trim()).replaceAll(/^/gm, '    ')}`;
    } catch (error) {
      return `${program} ${argument}: ${reasonOf(error)}`;
    }
  });
  return Promise.all(versions);
}

function addStatus(
  agent: RunningAgent | undefined,
  document: StatusDocument,
  files: readonly string[],
  contents: Contents,
): void {
  contents.add(
    'status.txt',
    formatScreen(agent?.report ?? reportOf(document, files.join(', ')), { hasAll: true }),
  );
  contents.add('status.json', jsonLines(document));
  try {
    contents.add('rules.txt', describeRules(document, agent === undefined));
  } catch (error) {
    contents.miss('rules.txt', describeSystemError(error));
  }
}
