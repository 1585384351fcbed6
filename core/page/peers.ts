// The agents of other hosts in one line. Works without a browser.

import type { PeerStatus } from '../status/document.js';
import { countText } from '../status/answer/index.js';

/** The state of a peer: `fine`, `not fine` or `not reachable`. */
export const peerState = ({ reachable, healthy }: PeerStatus): string =>
  reachable ? (healthy === true ? 'fine' : 'not fine') : 'not reachable';

/** The peers that are not fine, or their number; empty without peers: `host2 not reachable`, `2 other hosts are fine`. */
export function peersText(peers: readonly PeerStatus[]): string {
  if (peers.length === 0) return '';
  const others = peers.filter((peer) => peerState(peer) !== 'fine');
  if (others.length > 0) return others.map((peer) => `${peer.name} ${peerState(peer)}`).join(', ');
  return `${countText(peers.length, 'other host')} ${peers.length === 1 ? 'is' : 'are'} fine`;
}
