// Begins, lists and ends silences of a running agent.

import { onOneLine } from '../common/text/one-line.js';
import { AgentError } from '../contract/index.js';
import type { SilenceStatus } from '../status/document.js';
import { readStatus } from '../status/read.js';
import { CONFIG_FLAGS, CONFIG_HELP, readArguments } from './arguments.js';
import { EXIT, type Command, type Process } from './command.js';
import {
  CONNECTION_FLAGS,
  CONNECTION_HELP,
  describeRequestError,
  findAgent,
  getResource,
  readClientOptions,
  type Change,
  type ClientOptions,
  type AgentResponse,
} from './client.js';
import { describeStatus } from './status-report.js';
import { scopeText } from '../status/index.js';
import { silenceTable, wholeSeconds } from './status-tables.js';

const VERBS = new Set(['list', 'end']);

/** Begins, lists and ends silences. */
export const silence: Command = {
  help: `Usage: fabric-ops-agent silence [--node NAME] [--channel NAME] --for DURATION
                                --why TEXT [--yes]
       fabric-ops-agent silence list
       fabric-ops-agent silence end ID

During planned work notifiers of a running agent get no failures of a node, of
a channel, or without both of all nodes and channels; with both, of the node in
the channel. /status, the page and the metrics show all failures. A silence ends
by itself; what fails then is sent. It does not survive a restart of the
service: for that, write it into the setting silences.

      --node NAME     the node
      --channel NAME  the channel
      --for DURATION  how long, such as 30m or 2h
      --why TEXT      the reason, for the others
      --yes           confirms a silence that is longer than a day
${CONNECTION_HELP}${CONFIG_HELP}`,
  async run(args, process) {
    const { values, positionals } = readArguments(
      args,
      {
        ...CONNECTION_FLAGS,
        ...CONFIG_FLAGS,
        node: { type: 'string' },
        channel: { type: 'string' },
        for: { type: 'string' },
        why: { type: 'string' },
        yes: { type: 'boolean', default: false },
      },
      true,
    );
    const { node, channel, for: duration, why, yes, ...client } = values;
    const [verb, ...rest] = positionals;
    if (verb !== undefined && !VERBS.has(verb))
      throw new AgentError('USAGE', `unexpected argument '${verb}'; expected list, end ID, or flags only`);
    const isNew = [node, channel, duration, why].some((value) => value !== undefined) || yes;
    if (verb !== undefined && isNew)
      throw new AgentError('USAGE', `silence ${verb} does not take --node, --channel, --for, --why or --yes`);
    if (rest.length !== (verb === 'end' ? 1 : 0))
      throw new AgentError(
        'USAGE',
        verb === 'end' ? 'silence end requires one ID' : `unexpected argument '${rest.join(' ')}'`,
      );
    if (verb === undefined && duration === undefined)
      throw new AgentError('USAGE', '--for is required: how long, such as --for 30m');
    if (verb === undefined && why === undefined)
      throw new AgentError('USAGE', "--why is required: the reason, such as --why 'upgrade to 3.1.5'");
    const options = readClientOptions(client, process, '/');
    if (verb === 'list') return list(options, process);
    if (verb === 'end') return end(options, rest[0] ?? '', process);
    const body = JSON.stringify({ node, channel, for: duration, why, ...(yes && { confirm: true }) });
    const made = await request(options, '/silences', { method: 'PUT', body }, process);
    if (made !== undefined) process.out(`${describe(silenceIn(made.body))}\n`);
    return made === undefined ? EXIT.failed : EXIT.ok;
  },
};

async function list(options: ClientOptions, process: Process): Promise<number> {
  const response = await request(options, '/silences', undefined, process);
  if (response === undefined) return EXIT.failed;
  const { silences } = readStatus(response.body);
  if (silences.length === 0) process.out('no silence is active\n');
  else
    process.out(
      silenceTable(silences)
        .map((line) => `${line}\n`)
        .join(''),
    );
  return EXIT.ok;
}

async function end(options: ClientOptions, id: string, process: Process): Promise<number> {
  const path = `/silences/${encodeURIComponent(id)}`;
  const response = await request(options, path, { method: 'DELETE' }, process);
  if (response !== undefined) process.out(`silence ${onOneLine(id)} has ended\n`);
  return response === undefined ? EXIT.failed : EXIT.ok;
}

/** Sends a request. Prints why it failed. */
async function request(
  options: ClientOptions,
  path: string,
  change: Change | undefined,
  process: Process,
): Promise<AgentResponse | undefined> {
  const found = await findAgent(options);
  const fail = (reason: string): undefined => {
    process.error(`fabric-ops-agent silence: ${onOneLine(`${found.url.origin}: ${reason}`)}\n`);
    return undefined;
  };
  try {
    const response = await getResource(found, path, change);
    return response.status < 300 ? response : fail(describeStatus(response, found.url));
  } catch (error) {
    return fail(describeRequestError(error, found.url));
  }
}

/** The silence in the response to `PUT`. */
const silenceIn = (json: string): SilenceStatus => readStatus(`{"silences":[${json}]}`).silences[0]!;

const describe = (made: SilenceStatus): string =>
  onOneLine(`silence ${made.id} of ${scopeText(made)} until ${wholeSeconds(made.until)}: ${made.why}`);
