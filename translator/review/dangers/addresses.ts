// Dangers: anchor peers, endpoints of orderers, addresses of the channel.

import {
  addressText,
  type Address,
  MAX_PORT,
  ordererEndpoints,
  type OrdererEndpoint,
} from '../../channel/index.js';
import { certificateIn } from '../../msp/index.js';
import type { Finding } from '../../documents/index.js';
import { finding } from '../finding.js';
import { mspOf, sameOrganization, type ChannelState } from '../../state/index.js';

export function addressFindings(state: ChannelState): Finding[] {
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

/** The organisations whose peers others do not find any more: gossip between organisations needs an anchor peer. */
export function lostAnchorFindings(before: ChannelState, after: ChannelState): Finding[] {
  const { organizations } = after.channel.application;
  if (organizations.length < 2) return [];
  return organizations.flatMap((organization) => {
    const previous = sameOrganization(organization, before.channel);
    if (organization.anchorPeers.length > 0 || (previous?.anchorPeers.length ?? 0) === 0) return [];
    const { name, path } = organization;
    return [finding('warning', 'anchor-peers-removed', `${path}/AnchorPeers`, { organization: name })];
  });
}

/**
 * No address stays where peers connect, with a TLS CA that they verify it with today: a peer takes no block from the orderers any more, or
 * is offline and has only the old addresses.
 */
export function movedAddressFindings(before: ChannelState, after: ChannelState): Finding[] {
  const [old, now] = [ordererEndpoints(before.channel), ordererEndpoints(after.channel)];
  if (old.length === 0 || old.some((one) => now.some((other) => isReachedAt(one, other)))) return [];
  const addresses = old.map(({ address }) => address);
  const isHidden =
    now.length > 0 && addresses.some((address) => after.channel.ordererAddresses.includes(address));
  const moved = now.some(({ address }) => addresses.includes(address));
  return [
    finding('danger', 'orderer-addresses-replaced', '/Channel/Orderer', {
      problem: moved ? 'tls' : isHidden ? 'hidden' : 'none-stays',
    }),
  ];
}

/** Whether an orderer that is reached at the one endpoint is reached at the other. */
function isReachedAt(one: OrdererEndpoint, other: OrdererEndpoint): boolean {
  if (one.address !== other.address) return false;
  const [old, now] = [tlsCasOf(one), tlsCasOf(other)];
  return old.size === 0 || [...old].some((ca) => now.has(ca));
}

/** The TLS CAs that an endpoint is verified with, by name and key. */
const tlsCasOf = ({ organizations }: OrdererEndpoint): ReadonlySet<string> =>
  new Set(
    organizations.flatMap((organization) => {
      const { tlsRoots = [], tlsIntermediates = [] } = mspOf(organization) ?? {};
      return [...tlsRoots, ...tlsIntermediates].map((pem) => {
        const certificate = certificateIn(pem);
        return certificate === undefined
          ? String(pem)
          : `${String(certificate.subject.raw)} ${String(certificate.publicKey.spki)}`;
      });
    }),
  );
