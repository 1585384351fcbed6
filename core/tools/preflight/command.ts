import { resolve } from 'node:path';
import { readEnvironmentFile } from '../../../config/index.js';
import { readArguments } from '../../cli/arguments.js';
import { EXIT, type Command, type Process } from '../../cli/command.js';
import { onOneLine } from '../../common/text/one-line.js';
import { AgentError, reasonOf } from '../../contract/index.js';
import type { Cause } from './cause.js';
import { preflight as judge, type PreflightResult } from './preflight.js';
import { confirm, identifyProgram, type Confirmation } from './program.js';

const FLAGS = {
  beside: { type: 'string', multiple: true },
  'beside-env': { type: 'string', multiple: true },
  to: { type: 'string' },
  program: { type: 'string' },
  json: { type: 'boolean' },
} as const;

/** Checks whether a node would start. */
export const preflight: Command = {
  help: `Usage: fabric-ops-agent preflight --beside FILE [--beside-env FILE] [--to VERSION]
                                  [--program FILE] [--json]

Reads the files of a node and prints every reason that its program would not start: the message of
the program, the meaning, the place, and the repair. Writes nothing. Run it as the user of the node,
in the directory that the node is started in. Exit status: 0 would start, 1 would not start,
2 invalid arguments, 3 would start, with warnings.

      --beside FILE      the core.yaml or orderer.yaml of the node, or its directory
      --beside-env FILE  the variables of the node: the output of docker inspect,
                         /proc/PID/environ, or lines NAME=VALUE. Default: this environment
      --to VERSION       the version of Fabric to be started, such as 3.1 or 3.1.5. Default: the
                         newest 2.5 and 3.1; errors of only 3.1 are warnings
      --program FILE     the program of the node; it is started on a copy of the files, without
                         network, for at most 30 s. Its version is the default of --to
      --json             one JSON document
`,
  async run(args, process) {
    const { values } = readArguments(args, FLAGS);
    const [beside, ...others] = values.beside ?? [];
    const [environmentFile = ''] = values['beside-env'] ?? [];
    if (beside === undefined) throw new AgentError('USAGE', 'preflight requires --beside FILE');
    if (others.length > 0)
      throw new AgentError('USAGE', `preflight checks one node: --beside ${others[0]!} is a second node`);
    const { cwd } = process;
    // A name without a slash is looked up in PATH.
    const program = values.program?.includes('/') === true ? resolve(cwd, values.program) : values.program;
    const version = values.to ?? (program === undefined ? undefined : identifyProgram(program).version);
    const variables = environmentFile === '' ? process.environment : readVariables(environmentFile, cwd);
    const result = await judge({ file: beside, variables, cwd, version });
    const confirmation =
      program === undefined || result.node === undefined ? undefined : await confirm(result.node, program);
    const isRefused =
      confirmation?.starts === false || result.causes.some(({ severity }) => severity === 'cause');
    print(
      process,
      values.json === true ? json(result, confirmation, !isRefused) : text(result, confirmation, !isRefused),
    );
    if (isRefused) return EXIT.failed;
    return result.causes.length > 0 || (confirmation?.starts === undefined && program !== undefined)
      ? EXIT.incomplete
      : EXIT.ok;
  },
};

function readVariables(file: string, cwd: string): ReturnType<typeof readEnvironmentFile> {
  try {
    return readEnvironmentFile(file, cwd);
  } catch (error) {
    throw new AgentError('USAGE', reasonOf(error), { cause: error });
  }
}

const print = (process: Process, lines: readonly string[]): void =>
  void process.out(lines.map((line) => `${line}\n`).join(''));

function json(
  { file, kind, version, causes }: PreflightResult,
  confirmation: Confirmation | undefined,
  starts: boolean,
): string[] {
  return [JSON.stringify({ file, kind, version, starts, causes, program: confirmation })];
}

function text(
  { file, kind, version, causes }: PreflightResult,
  confirmation: Confirmation | undefined,
  starts: boolean,
): string[] {
  const what = `${kind} ${file}: ${starts ? 'would start' : 'would not start'}${version === undefined ? '' : ` with Fabric ${version}`}`;
  const counts = (['cause', 'warning'] as const).flatMap((severity) => {
    const count = causes.filter((each) => each.severity === severity).length;
    return count === 0 ? [] : [`${count} ${severity}${count === 1 ? '' : 's'}`];
  });
  return [
    `${what}${counts.length === 0 ? '' : ` (${counts.join(', ')})`}`,
    ...causes.flatMap(causeLines),
    ...(confirmation === undefined ? [] : programLines(confirmation)),
  ];
}

function causeLines({ id, severity, says, means, where, todo }: Cause, index: number): string[] {
  return [
    '',
    `${index + 1}. ${severity === 'cause' ? '' : 'warning: '}${id} at ${onOneLine(where)}`,
    ...(says === '' ? [] : [`   says:  ${onOneLine(says)}`]),
    `   means: ${onOneLine(means)}`,
    `   do:    ${onOneLine(todo)}`,
  ];
}

function programLines({ version, starts, says, notes }: Confirmation): string[] {
  const end =
    starts === undefined ? 'neither served nor ended within 30 s' : starts ? 'served' : 'refused to start';
  return [
    '',
    `program of version ${version}: ${end} on a copy of the files`,
    ...says.map((line) => `   says:  ${onOneLine(line)}`),
    ...notes.map((note) => `   note:  ${onOneLine(note)}`),
  ];
}
