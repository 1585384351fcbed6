import { setTimeout as sleep } from 'node:timers/promises';
import { formatDuration, parsePositiveDuration } from '../common/text/duration.js';
import { AgentError, reasonOf } from '../contract/index.js';
import { readArguments } from './arguments.js';
import { CLIENT_FLAGS, CLIENT_HELP, readClientOptions } from './client-flags.js';
import { EXIT, type Command, type Process } from './command.js';
import { readStatus, type StatusReport } from './status-report.js';
import { formatJson, formatScreen } from './status-screen.js';

const DEFAULT_INTERVAL = '2s';
/** The shortest and the longest interval of `--watch`, in milliseconds. */
const MIN_INTERVAL = 100;
const MAX_INTERVAL = 24 * 3_600_000;
/** Moves the cursor to the top; erases the rest of a line; erases what is below. */
const [HOME, END_OF_LINE, BELOW] = ['\u001b[H', '\u001b[K', '\u001b[J'];

/** Prints the status of a running service and its nodes. */
export const status: Command = {
  name: 'status',
  summary: 'show the nodes and the health of a running service',
  help: `Usage: fabric-ops-agent status [--watch [INTERVAL]] [--json] [--url URL] [--timeout DURATION]
                               [--cacert FILE] [--cert FILE --key FILE]
                               [--config FILE]... [--set KEY=VALUE]...

Prints whether the service is reachable and healthy, which nodes are up, their versions, log levels
and channels, and every problem with its reason. The exit status is 0 if the service is healthy and
all nodes are up, otherwise 1.

      --watch [INTERVAL]
                      repeats until SIGINT, every INTERVAL from 100ms to 24h (default ${DEFAULT_INTERVAL}); redraws
                      the screen of a terminal. The exit status is that of the last status
      --json          prints one JSON document per status, on one line
${CLIENT_HELP}`,
  async run(args, process) {
    const { values, positionals } = readArguments(
      args.flatMap((each) =>
        each.startsWith('--watch=') ? ['--watch', each.slice('--watch='.length)] : [each],
      ),
      {
        ...CLIENT_FLAGS,
        watch: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
      },
      true,
    );
    const interval = readInterval(values.watch, positionals);
    const options = readClientOptions(values, process, '/');
    const format = values.json ? formatJson : formatScreen;
    if (interval !== undefined) {
      const show = createDisplay(process, values.json, format);
      return watch(() => readStatus(options), show, interval, process);
    }
    const report = await readStatus(options);
    process.out(format(report));
    return exitStatusOf(report);
  },
};

const exitStatusOf = ({ healthy }: StatusReport): number => (healthy ? EXIT.ok : EXIT.failed);

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

/** Returns a function that shows a report; it returns false when the reader of the output is gone. */
function createDisplay(
  process: Process,
  isJson: boolean,
  format: (report: StatusReport) => string,
): (report: StatusReport) => boolean {
  let isFirst = true;
  return (report) => {
    const text = format(report);
    const separator = isFirst || isJson ? '' : '\n';
    isFirst = false;
    if (!process.isTerminal || isJson) return process.out(separator + text);
    return process.out(`${HOME}${text.replaceAll('\n', `${END_OF_LINE}\n`)}${BELOW}`);
  };
}

/** Repeats until SIGINT or SIGTERM, or until the reader of the output is gone. */
async function watch(
  read: () => Promise<StatusReport>,
  show: (report: StatusReport) => boolean,
  interval: number,
  process: Process,
): Promise<number> {
  const stopping = new AbortController();
  const stopped = new Promise<undefined>((resolve) => {
    process.onStop(() => {
      stopping.abort();
      resolve(undefined);
    });
  });
  let result: number = EXIT.failed;
  while (!stopping.signal.aborted) {
    const report = await Promise.race([read(), stopped]);
    if (report === undefined) break;
    result = exitStatusOf(report);
    if (!show(report)) break;
    await sleep(interval, undefined, { signal: stopping.signal }).catch(() => undefined);
  }
  return result;
}
