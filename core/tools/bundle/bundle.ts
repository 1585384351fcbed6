// `bundle`: writes a support bundle without secrets.

import { arch, release, type } from 'node:os';
import { resolve } from 'node:path';
import { readNodeFlag, type LoadedSettings } from '../../../config/index.js';
import { BUILT_IN } from '../../built-in.js';
import { readBuildInfo } from '../../common/files/build-info.js';
import { formatDuration } from '../../common/text/duration.js';
import { onOneLine } from '../../common/text/one-line.js';
import { describeSystemError } from '../../common/text/system-error.js';
import { errorCodeOf, problemsOf } from '../../contract/errors.js';
import { AgentError, reasonOf, within } from '../../contract/index.js';
import type { LoadedPlugin } from '../../host/index.js';
import { runCommand } from '../../kit/command.js';
import type { StatusDocument } from '../../status/document.js';
import { loadFrom, readArguments } from '../../cli/arguments.js';
import { EXIT, type Command, type Process } from '../../cli/command.js';
import { describeSettings } from '../../cli/config.js';
import { CLIENT_FLAGS, CLIENT_HELP, readTimeout, type ClientValues } from '../../cli/client.js';
import { reportOf } from '../../cli/status-report.js';
import { formatScreen } from '../../cli/status-screen.js';
import { askAgent, type RunningAgent } from './agent.js';
import { writeBundle } from './archive.js';
import { Contents, jsonLines } from './contents.js';
import { FolderNames } from './folder-names.js';
import { createMask } from './mask.js';
import { readNodes, readOtherNodes } from './nodes.js';
import { collectSecrets } from './secrets.js';

/** Programs for `versions.txt`, and the time limit for each, in milliseconds, unless `--timeout` is longer. */
const PROGRAMS = [
  ['peer', 'version'],
  ['orderer', 'version'],
  ['configtxlator', 'version'],
] as const;
const PROGRAM_TIMEOUT = 5_000;

/** Writes a support bundle without secrets. */
export const bundle: Command = {
  help: `Usage: fabric-ops-agent bundle [--node FILE]... [--url URL]
                               [-o FILE.tar.gz|DIR] [--timeout DURATION]
                               [--ca FILE] [--cert FILE --key FILE]
                               [--config FILE]... [--set KEY=VALUE]...

Writes text files that help others to find a fault: the status of the running
service, or the results of the checks if none runs; the settings; versions; and
for each node its metrics, the channels in its ledger folder and the end of the
log in node.log. Secrets are masked in every
file: private keys, passwords, tokens, and the credentials of URLs. If the end
of a secret in a log is uncertain, the rest of the line is masked. Some secrets
may not be recognized: the last lines of the output name the files to read
before you send the bundle. manifest.json lists the files with size, SHA-256 and
number of masked values, and everything that could not be read, with the reason.
The exit status is 0, or 3 if something is missing; it is 1 if nothing could be
written.

  -o, --output PATH   a file that ends with .tar.gz, or a new directory
                      (default: an archive in the working directory, with the
                      time in its name)
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
    const { files, toRead } = contents.pack(facts);
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
    for (const { name, reason } of toRead)
      process.out(`${onOneLine(`read before sending: ${name}: ${reason}`)}\n`);
    return contents.missing.length === 0 ? EXIT.ok : EXIT.incomplete;
  },
};

/** The settings and the plugins, or the problems that prevent loading them. */
interface LoadedOrProblems {
  readonly loaded: LoadedSettings | undefined;
  readonly plugins: readonly LoadedPlugin[];
  readonly problems: readonly string[];
}

async function collect(values: ClientValues, process: Process): Promise<Contents> {
  const found = await findSettings(values, process);
  const { loaded, plugins, problems } = found;
  const { node: nodes = [], 'node-env': variables = [], config = [], key = '' } = values;
  const named = nodes.map((text) => readNodeFlag(text).file);
  const files = [...named, ...variables, ...config, key].filter((file) => file !== '');
  const contents = new Contents(createMask(collectSecrets({ loaded, plugins, files }, process)));
  if (loaded === undefined || problems.length > 0) contents.miss('config.txt', problems.join('; '));
  else contents.add('config.txt', describeSettings(loaded, plugins));

  const agent = await askAgent(values, process, contents);
  const timeout = readTimeout(values.timeout);
  const versions = [...ownVersions(agent?.document, process), ...(await programVersions(process, timeout))];
  const parts = { process, contents, versions, folders: new FolderNames(), timeout };
  const document = loaded === undefined ? agent?.document : await readNodes(loaded, agent, parts);
  if (agent !== undefined) await readOtherNodes(agent, loaded, parts);
  contents.add('versions.txt', `${versions.join('\n')}\n`);
  if (document === undefined)
    contents.miss('status.txt', 'there is no status from a running agent or from the checks');
  else addStatus(agent, document, loaded?.files ?? [], contents);
  return contents;
}

async function findSettings(values: ClientValues, process: Process): Promise<LoadedOrProblems> {
  let loaded: LoadedSettings | undefined;
  try {
    loaded = loadFrom(values, process);
    const { loadPlugins } = await import('../../host/index.js');
    return { loaded, plugins: await loadPlugins(loaded.settings, BUILT_IN), problems: [] };
  } catch (error) {
    if (errorCodeOf(error) !== 'SETTINGS_INVALID') throw error;
    return { loaded, plugins: [], problems: problemsOf(error) };
  }
}

function ownVersions(document: StatusDocument | undefined, { nodeVersion }: Process): string[] {
  const { version, commit } = readBuildInfo();
  const agent = document?.agent;
  const lines = [
    `this program: fabric-ops-agent ${version} (${commit})`,
    agent === undefined
      ? 'running agent: none responds'
      : `running agent: ${agent.version ?? 'unknown'} (${agent.commit ?? 'unknown'}), since ${agent.started_at}, for ${formatDuration(agent.uptime * 1000)}`,
    `Node.js ${nodeVersion}, ${type()} ${release()}, ${arch()}`,
  ];
  return lines.map(onOneLine);
}

/** The versions that the programs in PATH print. */
async function programVersions({ environment }: Process, timeout: number): Promise<string[]> {
  const limit = Math.max(PROGRAM_TIMEOUT, timeout);
  const versions = PROGRAMS.map(async ([program, argument]) => {
    const options = {
      command: [program, argument],
      directory: '',
      environment: { PATH: environment['PATH'] ?? '' },
    };
    try {
      const { stdout, stderr } = await within(limit, 'the program', undefined, (signal) =>
        runCommand(options, { signal }),
      );
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
}
