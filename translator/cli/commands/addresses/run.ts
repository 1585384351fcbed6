// `anchor-peers set|add|remove` and `endpoints set`.

import { editAnchorPeers } from '../../../edit/anchor-peers.js';
import { setEndpoints } from '../../../edit/endpoints.js';
import type { Context } from '../../context.js';
import { runEdit } from '../../edit-update.js';
import { requiredArgument, requiredList, type Values } from '../../values.js';

/** The commands for anchor peers. */
export const anchorPeers =
  (action: 'set' | 'add' | 'remove') =>
  async (values: Values, context: Context): Promise<void> => {
    const name = requiredArgument(values, 1, 'org');
    const addresses = requiredList(values, 2, 'host:port');
    await runEdit(values, context, (config) => editAnchorPeers(config, action, name, addresses));
  };

/** `endpoints set` @throws CommandError */
export async function endpoints(values: Values, context: Context): Promise<void> {
  const name = requiredArgument(values, 1, 'org');
  const addresses = requiredList(values, 2, 'host:port');
  await runEdit(values, context, (config) => setEndpoints(config, name, addresses));
}
