// Anchor peers, endpoints of orderers, addresses of the channel.

import {
  type Address,
  MAX_PORT,
  type OrdererEndpoint,
  addressText,
  ordererEndpoints,
} from '../channel/index.js';
import { quoted, words } from '../documents/index.js';
import { certificateIn } from '../msp/index.js';
import { mspOf, sameOrganization } from '../state/index.js';
import { type RawFinding, anywhere, defineCheck, defineRule } from './rule.js';

/** The reasons that peers do not find the orderers any more. */
const ADDRESSES = {
  'none-stays': words(
    'no orderer address of today stays: a peer that is offline while this happens never finds the orderers again',
    'first add the new addresses, wait until every peer has that block, then remove the old ones; addressOverrides in core.yaml helps a peer that is cut off',
  ),
  hidden: words(
    'peers ignore OrdererAddresses as soon as an organisation has endpoints, and no endpoint is an address of today: peers take no block any more',
    'set the addresses of OrdererAddresses as endpoints of the organisations in the same update',
  ),
  tls: words(
    'peers verify an orderer with the TLS CAs of the organisation that lists its address, and no address stays with a TLS CA of today: peers take no block any more',
    'keep the TLS CAs that have issued the certificates of the orderers in the organisation that lists their addresses',
  ),
} as const;

const anchorPeersRemoved = defineRule({
  id: 'anchor-peers-removed',
  severity: 'warning',
  meaning: 'an organisation has no anchor peer any more',
  words: ({ organization }: { organization: string }) =>
    words(
      `${organization} has no anchor peer any more: after a restart its peers and the peers of other organisations do not know each other, so private data and discovery do not work between them`,
      'keep an anchor peer',
    ),
});

const ordererAddressesReplaced = defineRule({
  id: 'orderer-addresses-replaced',
  severity: 'danger',
  explains: { 'msp-tls-ca-removed': anywhere },
  meaning: 'no orderer address stays: offline peers lose the orderers',
  words: ({ problem }: { problem: keyof typeof ADDRESSES }) => ADDRESSES[problem],
});

const endpointMalformed = defineRule({
  id: 'endpoint-malformed',
  severity: 'warning',
  meaning: 'an orderer address is not host:port',
  words: ({ address }: { address: string }) =>
    words(
      `the address ${quoted(address)} is not host:port: peers and clients cannot connect to it`,
      'write it as host:port',
    ),
});

const anchorPeerIncomplete = defineRule({
  id: 'anchor-peer-incomplete',
  severity: 'warning',
  meaning: 'an anchor peer has no valid host and port',
  words: ({ address }: { address: string }) =>
    words(
      `the anchor peer ${quoted(address)} has no valid host and port: peers of other organisations cannot reach it`,
      'set its host and port',
    ),
});

/** One pass over the addresses of the channel and of its organisations. */
export const eachAddress = defineCheck({
  needs: 'config',
  rules: [endpointMalformed, anchorPeerIncomplete],
  find({ channel }) {
    const { ordererAddresses, organizations } = channel;
    return [
      ...malformed('/Channel/OrdererAddresses', ordererAddresses),
      ...organizations.flatMap((each) => [
        ...malformed(`${each.path}/Endpoints`, each.endpoints),
        ...anchorPeers(`${each.path}/AnchorPeers`, each.anchorPeers),
      ]),
    ];
  },
});

const isPort = (port: number): boolean => port > 0 && port <= MAX_PORT;

function malformed(path: string, addresses: readonly string[]): RawFinding[] {
  return addresses
    .filter((address) => {
      const [, port] = /^.+:(\d{1,5})$/.exec(address) ?? [];
      return port === undefined || !isPort(Number(port));
    })
    .map((address) => endpointMalformed.at(path, { address }));
}

function anchorPeers(path: string, peers: readonly Address[]): RawFinding[] {
  return peers
    .filter(({ host, port }) => host === '' || !isPort(port))
    .map((peer) => anchorPeerIncomplete.at(path, { address: addressText(peer) }));
}

/** Organisations that lose their last anchor peer: gossip between organisations needs one. */
export const lostAnchors = defineCheck({
  needs: 'update',
  rules: [anchorPeersRemoved],
  find({ before, after }) {
    const { organizations } = after.channel.application;
    if (organizations.length < 2) return [];
    return organizations.flatMap((organization) => {
      const previous = sameOrganization(organization, before.channel);
      if (organization.anchorPeers.length > 0 || (previous?.anchorPeers.length ?? 0) === 0) return [];
      const { name, path } = organization;
      return [anchorPeersRemoved.at(`${path}/AnchorPeers`, { organization: name })];
    });
  },
});

/**
 * No current address stays with a TLS CA that peers verify it with today: a peer gets no blocks from the orderers any more, or is offline
 * and has only the old addresses.
 */
export const movedAddresses = defineCheck({
  needs: 'update',
  rules: [ordererAddressesReplaced],
  find({ before, after }) {
    const [old, now] = [ordererEndpoints(before.channel), ordererEndpoints(after.channel)];
    if (old.length === 0 || old.some((one) => now.some((other) => isReachedAt(one, other)))) return [];
    const addresses = old.map(({ address }) => address);
    const isHidden =
      now.length > 0 && addresses.some((address) => after.channel.ordererAddresses.includes(address));
    const moved = now.some(({ address }) => addresses.includes(address));
    return [
      ordererAddressesReplaced.at('/Channel/Orderer', {
        problem: moved ? 'tls' : isHidden ? 'hidden' : 'none-stays',
      }),
    ];
  },
});

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
