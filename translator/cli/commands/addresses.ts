// `anchor-peers set|add|remove` and `endpoints set`.

import { argumentList, type Command } from '../command.js';
import { editCommand, ORGANIZATION } from '../edit-command.js';
import { text } from '../kinds.js';

const ARGUMENTS = { org: ORGANIZATION, 'host:port': argumentList(text, 'The addresses.') };

const anchorPeers = (action: 'set' | 'add' | 'remove', help: string): Command =>
  editCommand({
    name: `anchor-peers ${action}`,
    help,
    arguments: ARGUMENTS,
    async edit({ org, 'host:port': addresses }) {
      const { editAnchorPeers } = await import('../../edit/addresses.js');
      return (config) => editAnchorPeers(config, action, org, addresses);
    },
  });

/** The commands for addresses. */
export const ADDRESS_COMMANDS: readonly Command[] = [
  anchorPeers('set', 'Sets the anchor peers of an organisation.'),
  anchorPeers('add', 'Adds anchor peers to an organisation.'),
  anchorPeers('remove', 'Removes anchor peers of an organisation.'),
  editCommand({
    name: 'endpoints set',
    help: 'Sets the addresses of the orderers of an organisation.',
    arguments: ARGUMENTS,
    async edit({ org, 'host:port': addresses }) {
      const { setEndpoints } = await import('../../edit/addresses.js');
      return (config) => setEndpoints(config, org, addresses);
    },
  }),
];
