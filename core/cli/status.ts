// `status`: shows the state of running agents.

import { setTimeout as sleep } from 'node:timers/promises';
import { formatDuration, parsePositiveDuration } from '../common/text/duration.js';
import { AgentError, reasonOf } from '../contract/index.js';
import { readArguments } from './arguments.js';
import { EXIT, type Command, type Process } from './command.js';
import { CLIENT_FLAGS, CLIENT_HELP, findAgent, readClientOptions } from './client.js';
import { readReport, type StatusReport } from './status-report.js';
import { plainDisplay, terminalDisplay, type Display } from './status-display.js';
import { formatAgentsJson, formatJson } from './status-json.js';
import { columnsOf, formatFailure, formatStatus } from './status-screen.js';

const DEFAULT_INTERVAL = '2s';
/** The shortest and the longest interval of `--watch`, in milliseconds. */
const MIN_INTERVAL = 100;
const MAX_INTERVAL = 24 * 3_600_000;

/** Prints the status of a running agent and its nodes. */
export const status: Command = {
  help: `Usage: fabric-ops-agent status [--watch [INTERVAL]] [--all] [--json]
                               [--url URL]... [--timeout DURATION] [--ca FILE]
                               [--cert FILE --key FILE] [--config FILE]...
                               [--set KEY=VALUE]...

Prints what is wrong and the next steps, as the page of the agent does; then
whether the agent is healthy, further problems and warnings, the channels, the
nodes with their state, versions and log levels, and certificates that expire
within 30 days. The exit status is 0 if the agent is healthy and all nodes are
up, otherwise 1; without a status the reason is on standard error. If no flag
names the address of the agent, its default port 9543 is tried first. With
several --url, the agents of several hosts give one status, with one verdict for
each channel; all of them must be healthy.

      --watch [INTERVAL]
                      repeats until SIGINT, every INTERVAL from 100ms to 24h
                      (default ${DEFAULT_INTERVAL}); redraws the screen of a terminal. The
                      last status decides the exit status
      --all           also shows every failed check with its reason, the nodes
                      of each channel, the last warnings and errors in the log
                      of a node that fails, and all certificates
      --json          prints one JSON document per status, on one line
${CLIENT_HELP}`,
  async run(args, process) {
    const { values, positionals } = readArguments(
      args.flatMap((each) =>
        each.startsWith('--watch=') ? ['--watch', each.slice('--watch='.length)] : [each],
      ),
      {
        ...CLIENT_FLAGS,
        url: { type: 'string', multiple: true },
        watch: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        all: { type: 'boolean', default: false },
      },
      true,
    );
    const interval = readInterval(values.watch, positionals);
    const options = (values.url ?? [undefined]).map((url) =>
      readClientOptions({ ...values, url }, process, '/'),
    );
    const read = (): Promise<StatusReport[]> =>
      Promise.all(options.map(async (each) => readReport(await findAgent(each))));
    const format = formatOf(values, columnsOf(process.terminal));
    if (interval !== undefined) {
      const display = displayOf(process, values.json);
      return watch(read, (reports) => display(format(reports)), interval, process);
    }
    const reports = await read();
    if (!values.json && reports.every(({ document }) => document === undefined))
      for (const report of reports) process.error(`fabric-ops-agent status: ${formatFailure(report)}\n`);
    else process.out(format(reports));
    return exitStatusOf(reports);
  },
};

/** The function that formats the reports of all services. */
function formatOf(
  { json, all: hasAll }: { readonly json: boolean; readonly all: boolean },
  columns: number | undefined,
): (reports: readonly StatusReport[]) => string {
  return (reports) => {
    if (!json) return formatStatus(reports, { hasAll, columns });
    const [report, ...others] = reports as [StatusReport, ...StatusReport[]];
    return others.length > 0 ? formatAgentsJson(reports) : formatJson(report);
  };
}

const exitStatusOf = (reports: readonly StatusReport[]): number =>
  reports.every(({ healthy }) => healthy) ? EXIT.ok : EXIT.failed;

function readInterval(isWatching: boolean, positionals: readonly string[]): number | undefined {
  const [text, ...others] = isWatching ? positionals : [undefined, ...positionals];
  if (others.length > 0) throw new AgentError('USAGE', `unexpected argument '${others.join(' ')}'`);
  if (!isWatching) return undefined;
  const allowed = `must be from ${formatDuration(MIN_INTERVAL)} to ${formatDuration(MAX_INTERVAL)}`;
  let interval: number;
  try {
    interval = parsePositiveDuration(text ?? DEFAULT_INTERVAL);
  } catch (error) {
    throw new AgentError('USAGE', `--watch: ${reasonOf(error)}: found '${text ?? ''}'`);
  }
  if (interval < MIN_INTERVAL || interval > MAX_INTERVAL)
    throw new AgentError('USAGE', `--watch: ${allowed}: found '${text ?? ''}'`);
  return interval;
}

function displayOf(process: Process, isJson: boolean): Display {
  if (isJson) return (text) => process.out(text);
  return process.terminal === undefined ? plainDisplay(process) : terminalDisplay(process, process.terminal);
}

/** Repeats until SIGINT or SIGTERM, or until the reader closes the output. */
async function watch(
  read: () => Promise<readonly StatusReport[]>,
  show: (reports: readonly StatusReport[]) => boolean,
  interval: number,
  process: Process,
): Promise<number> {
  const stopping = new AbortController();
  const stopped = new Promise<undefined>((resolve) => {
    stopping.signal.addEventListener('abort', () => resolve(undefined));
  });
  process.onStop(() => stopping.abort());
  let result: number = EXIT.failed;
  while (!stopping.signal.aborted) {
    const reports = await Promise.race([read(), stopped]);
    if (reports === undefined) break;
    result = exitStatusOf(reports);
    if (!show(reports)) break;
    await sleep(interval, undefined, { signal: stopping.signal }).catch(() => undefined);
  }
  return result;
}
