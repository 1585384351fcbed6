// `anchor-peers set|add|remove` and `endpoints set`: their flags and arguments.

import { list, type Command } from '../../command.js';
import { editCommand, ORGANIZATION } from '../edit-command.js';

const ADDRESSES = list('host:port', 'The addresses.');

/** The commands for addresses. */
export const ADDRESS_COMMANDS: readonly Command[] = [
  editCommand('anchor-peers set', 'Sets the anchor peers of an organisation.', {
    more: [ORGANIZATION, ADDRESSES],
    load: async () => ({ run: (await import('./run.js')).anchorPeers('set') }),
  }),
  editCommand('anchor-peers add', 'Adds anchor peers to an organisation.', {
    more: [ORGANIZATION, ADDRESSES],
    load: async () => ({ run: (await import('./run.js')).anchorPeers('add') }),
  }),
  editCommand('anchor-peers remove', 'Removes anchor peers of an organisation.', {
    more: [ORGANIZATION, ADDRESSES],
    load: async () => ({ run: (await import('./run.js')).anchorPeers('remove') }),
  }),
  editCommand('endpoints set', 'Sets the addresses of the orderers of an organisation.', {
    more: [ORGANIZATION, ADDRESSES],
    load: async () => ({ run: (await import('./run.js')).endpoints }),
  }),
];
