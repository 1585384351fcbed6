// What all commands that edit a channel config have in common: the block, their output, and the update that they add to.

import { ALLOW } from '../allowed.js';
import { argument, type Argument, type Command } from '../command.js';
import { envelopeOutput, type Flag } from '../flag.js';
import { withNetworkFlags } from '../network-flags.js';

const BLOCK = argument(
  'block',
  'The newest config block of the channel, or its ledger or network, as for fetch.',
);

/** The organisation that a command is about. */
export const ORGANIZATION = argument('org', 'The name of the group of the organisation, or its MSP id.');

/** A command whose output is an envelope. */
export function editCommand(
  name: string,
  help: string,
  parts: {
    readonly more?: readonly Argument[];
    readonly flags?: readonly Flag[];
    readonly load: NonNullable<Command['load']>;
  },
): Command {
  const { more = [], flags = [], load } = parts;
  return {
    name,
    help,
    flags: withNetworkFlags([
      ...flags,
      {
        name: 'onto',
        kind: 'input',
        help: 'An unsigned config update for the same block; the output has its changes, too.',
      },
      {
        name: 'channel_id',
        kind: 'string',
        help: 'The name of the channel, if the block is a config without a header.',
      },
      {
        name: 'sign',
        kind: 'boolean',
        help: 'Review the update and sign it, with the identity of --msp or, where that is the MSP of an organisation, of the profile.',
      },
      ALLOW,
      envelopeOutput('envelope'),
    ]),
    argument: BLOCK,
    moreArguments: more,
    load,
  };
}
