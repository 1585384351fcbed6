// `rescue`: the steps to restore a network with expired certificates.

import { parseTime } from '../../common/text/time.js';
import { AgentError, reasonOf } from '../../contract/index.js';
import { nodesFrom, readArguments, SETTINGS_FLAGS, SETTINGS_HELP } from '../../cli/arguments.js';
import { EXIT, type Command } from '../../cli/command.js';
import { readNetwork } from './network.js';
import { planRescue } from './plan.js';
import { planText } from './text.js';

/** The exit status when there is a plan. */
const PLANNED = 3;

/** Prints a plan. */
export const rescue: Command = {
  help: `Usage: fabric-ops-agent rescue --node FILE... [FLAGS]

Reads the files of nodes, their MSP and TLS folders and the ledger folders of
the orderers, and prints the steps to restore a network with expired TLS or
signing certificates. Changes nothing, and opens no private key. Give the files
of all nodes: a plan has steps only for nodes that were given. The exit status
is 0 if nothing has expired, 3 if there is a plan, 1 if something cannot be
read, 2 for invalid arguments.

      --keys KIND     same: the new certificates keep the keys of the old ones
                      (default); new: orderers and peers get new keys
      --now TIME      the time to check certificates at, such as
                      2026-11-22T12:00:00Z; default: now
      --json          print JSON, for programs that execute the plan
${SETTINGS_HELP}`,
  async run(args, process) {
    const { values } = readArguments(args, {
      ...SETTINGS_FLAGS,
      keys: { type: 'string' },
      now: { type: 'string' },
      json: { type: 'boolean' },
    });
    const { environment, cwd } = process;
    const { keys = 'same', json = false } = values;
    const files = nodesFrom('rescue', values, process);
    if (keys !== 'same' && keys !== 'new')
      throw new AgentError('USAGE', `--keys must be same or new: value was '${keys}'`);
    const now = values.now === undefined ? Date.now() : parseTime(values.now)?.getTime();
    if (now === undefined)
      throw new AgentError(
        'USAGE',
        `--now must be a time that exists, with its zone, such as 2026-11-22T12:00:00Z: value was '${values.now ?? ''}'`,
      );
    try {
      const plan = planRescue(readNetwork(files, environment, cwd), keys, now);
      if (json)
        process.out(
          `${JSON.stringify(plan ?? { now: new Date(now).toISOString(), keys, expired: [], inputs: [], steps: [], notes: [] }, undefined, 2)}\n`,
        );
      else if (plan === undefined) process.out('nothing has expired\n');
      else process.out(planText(plan));
      return plan === undefined ? EXIT.ok : PLANNED;
    } catch (error) {
      for (const line of reasonOf(error).split('\n')) process.error(`fabric-ops-agent: error: ${line}\n`);
      return EXIT.failed;
    }
  },
};
