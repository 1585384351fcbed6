// `check`: runs all checks once, without a running agent.

import { AgentError } from '../contract/index.js';
import { problemsOf } from '../contract/errors.js';
import { loadFrom, readArguments, SETTINGS_FLAGS, SETTINGS_HELP } from '../cli/arguments.js';
import { EXIT, type Command, type Process } from '../cli/command.js';
import { inspect } from './inspect.js';
import { formatNagios, formatUnknown, NAGIOS } from './nagios.js';
import { readTimeout } from '../cli/client.js';
import { hasWarnings, reportOf } from '../cli/status-report.js';
import { jsonLine } from '../cli/status-json.js';
import { columnsOf, formatScreen } from '../cli/status-screen.js';

const DEFAULT_TIMEOUT = '30s';

/** Runs all checks once, without a running agent. */
export const check: Command = {
  help: `Usage: fabric-ops-agent check [--node FILE]... [--json | --format text|nagios]
                              [--all] [--timeout DURATION] [--config FILE]...
                              [--set KEY=VALUE]...

Starts the metric sources and the health checkers like start, but does not
listen, notify or push; runs all checks once and prints the results like status.
The exit status is 0 if everything is healthy, 1 if something failed, 3 if there
are only warnings, 2 for invalid arguments or settings.

      --json          prints the document of /status, on one line
      --format FORMAT text (default), or nagios: one line with performance data,
                      and the exit status of a Nagios plugin: 0 OK, 1 WARNING, 2
                      CRITICAL, 3 UNKNOWN
      --all           shows all certificates
      --timeout DURATION
                      time limit for the starts of all plugins, and then for all
                      checks (default ${DEFAULT_TIMEOUT})
${SETTINGS_HELP}`,
  async run(args, process) {
    try {
      return await runChecks(args, process);
    } catch (error) {
      if (!asksForNagios(args)) throw error;
      process.out(formatUnknown(problemsOf(error)));
      return NAGIOS.UNKNOWN;
    }
  },
};

async function runChecks(args: readonly string[], process: Process): Promise<number> {
  const { values } = readArguments(args, {
    ...SETTINGS_FLAGS,
    json: { type: 'boolean', default: false },
    format: { type: 'string', default: 'text' },
    all: { type: 'boolean', default: false },
    timeout: { type: 'string', default: DEFAULT_TIMEOUT },
  });
  const { json: isJson, format, all: hasAll } = values;
  if (format !== 'text' && format !== 'nagios')
    throw new AgentError('USAGE', `--format must be text or nagios: found '${format}'`);
  if (isJson && format !== 'text')
    throw new AgentError('USAGE', '--json and --format nagios cannot be set together');
  const timeout = readTimeout(values.timeout);
  const loaded = loadFrom(values, process);
  const document = await inspect(loaded, { timeout }, process, (inspection) => inspection.check());
  if (format === 'nagios') {
    const { state, line } = formatNagios(document);
    process.out(line);
    return NAGIOS[state];
  }
  const report = reportOf(document, loaded.files.join(', '));
  const columns = columnsOf(process.terminal);
  process.out(isJson ? jsonLine(document) : formatScreen(report, { hasAll, columns }));
  if (!report.healthy) return EXIT.failed;
  return hasWarnings(document) ? EXIT.incomplete : EXIT.ok;
}

/** Whether the arguments ask for Nagios output, also if they cannot be parsed: a monitoring system reads only one line. */
const asksForNagios = (args: readonly string[]): boolean =>
  args.some(
    (each, index) => each === '--format=nagios' || (each === 'nagios' && args[index - 1] === '--format'),
  );
