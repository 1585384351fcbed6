// `rescue`: the steps to restore a network with expired certificates.

import { AgentError, reasonOf } from '../../contract/index.js';
import { readArguments } from '../../cli/arguments.js';
import { EXIT, type Command } from '../../cli/command.js';
import { readNetwork } from './network.js';
import { planRescue } from './plan.js';
import { planText } from './text.js';

/** The exit status when there is a plan. */
const PLANNED = 3;

/** Prints a plan. */
export const rescue: Command = {
  help: `Usage: fabric-ops-agent rescue --beside FILE... [FLAGS]

Reads the files of nodes, their MSP and TLS folders and the ledger folders of the orderers, and
prints the steps to restore a network with expired TLS or signing certificates. Changes nothing, and
opens no private key. Give the files of all nodes: a plan has steps only for nodes that were given.

      --beside FILE   the core.yaml or orderer.yaml of a node, or its directory. Can be repeated
      --beside-env FILE
                      the variables of the node of the --beside before it: the output of docker
                      inspect, /proc/PID/environ, or lines NAME=VALUE
      --keys KIND     same: the new certificates keep the keys of the old ones (default);
                      new: orderers and peers get new keys
      --now TIME      the time to check certificates at, such as 2026-11-22T12:00:00Z; default: now
      --json          print JSON, for programs that execute the plan

The exit status is 0 if nothing has expired, 3 if there is a plan, 1 if something cannot be read.
`,
  async run(args, process) {
    const { values } = readArguments(args, {
      beside: { type: 'string', multiple: true },
      'beside-env': { type: 'string', multiple: true },
      keys: { type: 'string' },
      now: { type: 'string' },
      json: { type: 'boolean' },
    });
    const { environment, cwd } = process;
    const { beside = [], 'beside-env': environments = [], keys = 'same', json = false } = values;
    if (beside.length === 0)
      throw new AgentError('USAGE', 'rescue requires --beside FILE, the file of a node; it can be repeated');
    if (keys !== 'same' && keys !== 'new')
      throw new AgentError('USAGE', `--keys must be same or new: value was '${keys}'`);
    const now = values.now === undefined ? Date.now() : Date.parse(values.now);
    if (Number.isNaN(now))
      throw new AgentError(
        'USAGE',
        `--now must be a time such as 2026-11-22T12:00:00Z: value was '${values.now ?? ''}'`,
      );
    const files = beside.map((file, index) => ({ file, environmentFile: environments[index] ?? '' }));
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
