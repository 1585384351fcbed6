// Dangers: anchor peers, endpoints of orderers, addresses of the channel.

import { addressText, type Address, MAX_PORT } from '../../channel/index.js';
import type { Finding } from '../../describe/index.js';
import { finding } from '../finding.js';
import type { State } from '../../powers/index.js';

export function addressFindings(state: State): Finding[] {
  const { ordererAddresses, organizations } = state.channel;
  return [
    ...malformed('/Channel/OrdererAddresses', ordererAddresses),
    ...organizations.flatMap((each) => [
      ...malformed(`${each.path}/Endpoints`, each.endpoints),
      ...anchorPeers(`${each.path}/AnchorPeers`, each.anchorPeers),
    ]),
  ];
}

const isPort = (port: number): boolean => port > 0 && port <= MAX_PORT;

function malformed(path: string, addresses: readonly string[]): Finding[] {
  return addresses
    .filter((address) => {
      const [, port] = /^.+:(\d{1,5})$/.exec(address) ?? [];
      return port === undefined || !isPort(Number(port));
    })
    .map((address) => finding('warning', 'endpoint-malformed', path, { address }));
}

function anchorPeers(path: string, peers: readonly Address[]): Finding[] {
  return peers
    .filter(({ host, port }) => host === '' || !isPort(port))
    .map((peer) => finding('warning', 'anchor-peer-incomplete', path, { address: addressText(peer) }));
}

/** Addresses that all change: a peer that is offline has only the old ones. */
export function movedAddressFindings(before: State, after: State): Finding[] {
  const [old, now] = [addressesOf(before), addressesOf(after)];
  if (old.size === 0 || [...old].some((address) => now.has(address))) return [];
  return [finding('danger', 'orderer-addresses-replaced', '/Channel/Orderer', {})];
}

const addressesOf = ({ channel: { ordererAddresses, organizations } }: State): Set<string> =>
  new Set([...ordererAddresses, ...organizations.flatMap(({ endpoints }) => endpoints)]);
