// `check`: its flags and arguments.

import { ALLOW } from '../../allowed.js';
import { argument, type Command } from '../../command.js';
import { JSON_FLAG } from '../../format.js';
import { FABRIC } from '../../fabric.js';
import { withNetworkFlags } from '../../network-flags.js';

/** The command. */
export const check: Command = {
  name: 'check',
  help: 'Checks one config by itself, such as that of a genesis block: what orderers would refuse to load, what is harmful, and certificates that expire within 30 days. The exit status is that of review.',
  flags: withNetworkFlags([
    FABRIC,
    ALLOW,
    {
      name: 'now',
      kind: 'string',
      help: 'The time to check certificates at, such as 2026-11-22T12:00:00Z, or seconds since 1970.',
    },
    JSON_FLAG,
  ]),
  argument: argument(
    'block',
    'A config block, a config, or the ledger or network of a channel, as for fetch.',
  ),
  load: () => import('./run.js'),
};
