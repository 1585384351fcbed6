// `preflight`: checks whether a node would start.

import { resolve } from 'node:path';
import { variablesOfNamedNode, type Environment, type NodeFiles } from '../../../config/index.js';
import { nodesFrom, readArguments, SETTINGS_FLAGS, SETTINGS_HELP } from '../../cli/arguments.js';
import { EXIT, type Command, type Process } from '../../cli/command.js';
import { onOneLine } from '../../common/text/one-line.js';
import { AgentError, errorCodeOf, reasonOf } from '../../contract/index.js';
import type { Cause } from './cause.js';
import { preflight as judge, type PreflightResult } from './preflight.js';
import { confirm, findProgram, identifyProgram, type Confirmation } from './program.js';

const FLAGS = {
  ...SETTINGS_FLAGS,
  to: { type: 'string' },
  program: { type: 'string' },
  json: { type: 'boolean' },
} as const;

/** Checks whether a node would start. */
export const preflight: Command = {
  help: `Usage: fabric-ops-agent preflight --node FILE... [--node-env FILE]
                                  [--to VERSION] [--program FILE|none] [--json]
                                  [--config FILE]... [--set KEY=VALUE]...

Reads the files of each node and prints every reason that its program would not
start: the message of the program, the meaning, the place, and the repair.
Writes nothing. Run it as the user of the node, in the directory that the node
is started in. Only a start of the program on a copy of the files shows that the
node would start; without one, the report names what was not checked. Exit
status: 0 would start, or no cause found with --program none, 1 would not start,
2 invalid arguments, 3 warnings, or the program was not started. With several
nodes, the worst of 1, 3 and 0.

      --to VERSION    the version of Fabric to be started, such as 3.1 or 3.1.5.
                      Default: the newest 2.5 and 3.1; errors of only 3.1 are
                      warnings
      --program FILE  the program of the node; it is started on a copy of the
                      files, without network, for at most 30 s. Its version is
                      the default of --to. Default: the program in PATH, or in
                      bin beside the directory config of the file, if it has the
                      version of --to. none: no program is started
      --json          one JSON document for each node, on one line
${SETTINGS_HELP}`,
  async run(args, process) {
    const { values } = readArguments(args, FLAGS);
    const nodes = nodesFrom('preflight', values, process);
    const { cwd, environment } = process;
    const program = programIn(values.program, cwd);
    if (program !== undefined && nodes.length > 1)
      throw new AgentError('USAGE', `--program ${program}: requires one node: found ${nodes.length}`);
    const version =
      values.to ?? (program && (await withFlag(program, () => identifyProgram(program).version)));
    const statuses: number[] = [];
    for (const [index, node] of nodes.entries()) {
      const variables = variablesOf(node, nodes, process);
      const result = await judge({ file: node.file, variables, cwd, version });
      const isLeftOut = values.program === 'none';
      const run = isLeftOut ? undefined : await runProgram(result, program, environment['PATH']);
      const verdict = verdictOf(result, run, isLeftOut);
      statuses.push(verdict.status);
      if (index > 0 && values.json !== true) print(process, ['']);
      print(process, (values.json === true ? json : text)(result, run, verdict));
    }
    return [EXIT.failed, EXIT.incomplete].find((status) => statuses.includes(status)) ?? EXIT.ok;
  },
};

/** What is known about the start of a node. */
interface Verdict {
  /** Null: no cause was found, and the program did not show that it starts. */
  readonly starts: boolean | null;
  /** What was not checked, if it is null. */
  readonly notChecked: readonly string[];
  readonly status: number;
}

/** @param isLeftOut whether the user wanted no start of the program */
function verdictOf(
  { kind, causes, node }: PreflightResult,
  run: ProgramRun | undefined,
  isLeftOut: boolean,
): Verdict {
  const outcome = run !== undefined && 'starts' in run ? run : undefined;
  if (outcome?.starts === false || causes.some(({ severity }) => severity === 'cause'))
    return { starts: false, notChecked: [], status: EXIT.failed };
  const starts = outcome?.starts === true && outcome.hasChannels ? true : null;
  const isComplete = causes.length === 0 && (starts === true || isLeftOut);
  return {
    starts,
    notChecked: starts === true ? [] : [startOf(run, isLeftOut), ...contentOf(kind, node)],
    status: isComplete ? EXIT.ok : EXIT.incomplete,
  };
}

/** The start of the program that did not take place. */
function startOf(run: ProgramRun | undefined, isLeftOut: boolean): string {
  if (run !== undefined && 'starts' in run) return 'a start of its program with its channels';
  const isMissing = run === undefined && !isLeftOut;
  return `a start of its program${isMissing ? ', because none was found in PATH (--program names one)' : ''}`;
}

/** What the checks of files leave out. */
const contentOf = (kind: PreflightResult['kind'], node: PreflightResult['node']): string[] => [
  'blocks except the newest and config blocks',
  ...(kind === 'orderer'
    ? ['the other orderers of its channels']
    : [
        'timeouts and limits of core.yaml',
        `the content of ${node?.text('ledger.state.stateDatabase').value === 'CouchDB' ? 'CouchDB' : 'the state database'}`,
      ]),
];

/** A run of a program of the node on a copy of its files, or the reason that the program found on this host was not started. */
type ProgramRun = { readonly file: string } & (Confirmation | { readonly problem: string });

/** The program that the flag names; undefined if it names none. A name without a slash is searched in PATH. */
function programIn(flag: string | undefined, cwd: string): string | undefined {
  if (flag === 'none') return undefined;
  return flag?.includes('/') === true ? resolve(cwd, flag) : flag;
}

/** Runs the named program; without one, the program that is found on this host, if it has the version to check for. */
async function runProgram(
  { node, version, causes }: PreflightResult,
  named: string | undefined,
  path: string | undefined,
): Promise<ProgramRun | undefined> {
  if (node === undefined) return undefined;
  if (named !== undefined)
    return withFlag(named, async () => ({ file: named, ...(await confirm(node, named)) }));
  const file = findProgram(node, path);
  if (file === undefined) return undefined;
  try {
    const { version: own } = identifyProgram(file);
    if (!`${own}.`.startsWith(`${version?.replace(/^v/, '') ?? own}.`))
      return { file, problem: `its version is ${own}` };
    const isRunning = causes.some(({ id }) => id === 'running');
    return { file, ...(await confirm(node, file, !isRunning)) };
  } catch (error) {
    if (errorCodeOf(error) !== 'USAGE') throw error;
    return { file, problem: reasonOf(error) };
  }
}

/** Names the flag in errors of a program. */
async function withFlag<Result>(program: string, call: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (errorCodeOf(error) !== 'USAGE') throw error;
    throw new AgentError('USAGE', `--program ${program}: ${reasonOf(error)}`, { cause: error });
  }
}

function variablesOf(
  node: NodeFiles,
  nodes: readonly NodeFiles[],
  { environment, cwd }: Process,
): Environment {
  try {
    const { variables, container } = variablesOfNamedNode(node, nodes, environment, cwd);
    if (container !== undefined)
      throw new Error(
        `${node.environmentFile}: describes the container ${container.name}, whose paths this host does not have; run preflight in the container, or write the variables as lines NAME=VALUE with the paths of this host`,
      );
    return variables;
  } catch (error) {
    throw new AgentError('USAGE', reasonOf(error), { cause: error });
  }
}

const print = (process: Process, lines: readonly string[]): void =>
  void process.out(lines.map((line) => `${line}\n`).join(''));

function json(
  { file, kind, version, causes }: PreflightResult,
  run: ProgramRun | undefined,
  { starts, notChecked }: Verdict,
): string[] {
  return [JSON.stringify({ file, kind, version, starts, notChecked, causes, program: run })];
}

/** The words for {@link Verdict.starts}. */
const OUTCOMES = new Map([
  [true, 'would start'],
  [false, 'would not start'],
  [null, 'no cause found'],
]);

function text(
  { file, kind, version, causes }: PreflightResult,
  run: ProgramRun | undefined,
  { starts, notChecked }: Verdict,
): string[] {
  const what = `${kind} ${file}: ${OUTCOMES.get(starts)}${version === undefined ? '' : ` with Fabric ${version}`}`;
  const counts = (['cause', 'warning'] as const).flatMap((severity) => {
    const count = causes.filter((each) => each.severity === severity).length;
    return count === 0 ? [] : [`${count} ${severity}${count === 1 ? '' : 's'}`];
  });
  return [
    `${what}${counts.length === 0 ? '' : ` (${counts.join(', ')})`}`,
    ...(notChecked.length === 0 ? [] : [`not checked: ${notChecked.join('; ')}`]),
    ...causes.flatMap(causeLines),
    ...(run === undefined ? [] : programLines(run)),
  ];
}

function causeLines({ id, severity, prints, means, where, todo }: Cause, index: number): string[] {
  return [
    '',
    `${index + 1}. ${severity === 'cause' ? '' : 'warning: '}${id} at ${onOneLine(where)}`,
    ...(prints === '' ? [] : [`   prints: ${onOneLine(prints)}`]),
    `   means:  ${onOneLine(means)}`,
    `   do:     ${onOneLine(todo)}`,
  ];
}

function programLines(run: ProgramRun): string[] {
  if ('problem' in run) return ['', `program ${run.file}: not started: ${onOneLine(run.problem)}`];
  const { file, version, starts, prints, notes } = run;
  const end =
    starts === undefined ? 'neither served nor ended within 30 s' : starts ? 'served' : 'refused to start';
  return [
    '',
    `program ${file} of version ${version}: ${end} on a copy of the files`,
    ...prints.map((line) => `   prints: ${onOneLine(line)}`),
    ...notes.map((note) => `   note:   ${onOneLine(note)}`),
  ];
}
