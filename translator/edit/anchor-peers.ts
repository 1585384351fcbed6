// Changes the anchor peers of an organisation.

import { addressText, sameAddress } from '../config/address.js';
import { ProtosAnchorPeer, ProtosAnchorPeers } from '../../proto/messages.js';
import { readMessage, writeMessage } from '../../proto/typed.js';
import type { Config } from '../config/element.js';
import { valueOrEmpty } from '../config/values.js';
import { checkUnique, parseAddress } from './addresses.js';
import { badEdit, edited, type Edited } from './edited.js';
import { findOrganization } from './organizations.js';
import { changeGroup, pathOf, withValue } from './tree.js';

/**
 * Sets, adds or removes anchor peers of an organisation.
 *
 * @param addresses `host:port`
 * @throws TranslateError BAD_EDIT
 */
export function editAnchorPeers(
  config: Config,
  action: 'set' | 'add' | 'remove',
  wanted: string,
  addresses: readonly string[],
): Edited {
  const { path, group } = findOrganization(config, wanted, ['Application']);
  const place = pathOf(...path);
  const given = addresses.map(parseAddress);
  checkUnique(given.map(addressText));
  const { anchorPeers } = valueOrEmpty(group, 'applicationOrganization', 'AnchorPeers');
  const value = group.values.get('AnchorPeers')?.value ?? new Uint8Array();
  const { anchorPeers: raw } = readMessage(ProtosAnchorPeers, value, ['anchorPeers']);
  const old = raw.map((bytes, index) => ({ bytes, ...anchorPeers[index]! }));
  const known = old.length === 0 ? 'it has none' : `it has ${old.map(addressText).join(', ')}`;
  for (const each of given) {
    const exists = old.some((peer) => sameAddress(peer, each));
    if (action === 'add' && exists)
      throw badEdit(`${addressText(each)} is an anchor peer of ${place} already`);
    if (action === 'remove' && !exists)
      throw badEdit(`${addressText(each)} is not an anchor peer of ${place}; ${known}`);
  }
  const added = given.map((each) => ({ ...each, bytes: writeMessage(ProtosAnchorPeer, each) }));
  const next =
    action === 'set'
      ? added
      : action === 'add'
        ? [...old, ...added]
        : old.filter((peer) => given.every((each) => !sameAddress(peer, each)));
  const content = writeMessage(ProtosAnchorPeers, { anchorPeers: next.map(({ bytes }) => bytes) });
  return edited(
    config,
    changeGroup(config.channelGroup, path, (each) => withValue(each, 'AnchorPeers', content)),
    `anchor peers of ${place}: ${next.length === 0 ? 'none' : next.map(addressText).join(', ')}`,
  );
}
