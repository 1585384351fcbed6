// Anchor peers, endpoints of orderers, addresses of the channel.

import { groupBy } from '../../core/common/group-by.js';
import {
  type Address,
  type Channel,
  type Consenter,
  type OrdererEndpoint,
  addressText,
  consentersOf,
  isHostAndPort,
  ordererEndpoints,
  placeOfAddress,
} from '../channel/index.js';
import { quoted, shortList, words } from '../documents/index.js';
import { certificateIn, consenterError } from '../msp/index.js';
import { type ChannelState, mspOf, sameOrganization } from '../state/index.js';
import { type RawFinding, defineCheck, defineRule } from './rule.js';

/** The reasons that peers do not find the orderers any more. */
const ADDRESSES = {
  'none-stays': words(
    'none of the current orderer addresses is kept: running peers stop at once unless orderers answer at the new addresses, and a peer that is offline meanwhile never finds the orderers again',
    'first add the new addresses, wait until every peer has that block, then remove the old ones; addressOverrides in core.yaml helps a peer that is cut off',
    'none of the current orderer addresses is kept: peers stop at once unless orderers answer at the new ones',
  ),
  hidden: words(
    'peers ignore OrdererAddresses as soon as an organisation has endpoints, and no endpoint is a current address: peers take no block any more',
    'set the addresses of OrdererAddresses as endpoints of the organisations in the same update',
    'no endpoint is a current orderer address, and peers ignore OrdererAddresses: peers take no block any more',
  ),
  tls: words(
    'peers verify an orderer with the TLS CAs of the organisation that lists its address, and no address is kept with a current TLS CA: peers take no block any more',
    'keep the TLS CAs that have issued the certificates of the orderers in the organisation that lists their addresses',
    'no orderer address is kept with a current TLS CA: peers take no block any more',
  ),
  'tls-of-no-consenter': words(
    'peers verify an orderer with the TLS CAs of the organisation that lists its address, and where a consenter is listed they have not issued its certificate: peers take no block any more',
    'keep the TLS CAs that have issued the certificates of the orderers in the organisation that lists their addresses',
    'no orderer address has a TLS CA that issued the certificate of its consenter: peers take no block any more',
  ),
  'no-consenter': words(
    'no orderer address that stays is the address of a consenter: running peers stop at once unless an orderer answers there',
    'check first that peers get blocks at one of the addresses that stay, or keep the address of a consenter',
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
      `${organization} has no anchor peer any more: private data and discovery do not work with others after a restart`,
    ),
});

const ordererAddressesReplaced = defineRule({
  id: 'orderer-addresses-replaced',
  severity: ['danger', 'warning'],
  meaning: 'no orderer address stays, or none of a consenter: peers lose the orderers',
  words: ({ problem }: { problem: keyof typeof ADDRESSES }) => ADDRESSES[problem],
});

const noOrdererAddresses = defineRule({
  id: 'orderer-addresses-none',
  severity: 'danger',
  meaning: 'the config has no address of an orderer',
  words: ({ malformed: count }: { malformed: number }) =>
    words(
      `the config has no address of an orderer${count === 0 ? '' : ' that is host:port'}: peers never get a block`,
      'set the endpoints of the orderer organisations',
    ),
});

const ordererAddressStale = defineRule({
  id: 'orderer-address-stale',
  severity: 'warning',
  meaning: 'an orderer address stays that is the address of no consenter any more',
  words: ({ addresses }: { addresses: readonly string[] }) =>
    words(
      `no consenter has ${addresses.length === 1 ? 'the address' : 'the addresses'} ${shortList(addresses)} any more, but peers still use ${addresses.length === 1 ? 'it as an orderer address' : 'them as orderer addresses'}: peers that are connected there may get no block for some time`,
      'change the endpoints of the orderer organisation in the same update',
      `peers still use ${addresses.length === 1 ? 'an orderer address' : 'orderer addresses'} that no consenter has any more`,
    ),
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
  rules: [noOrdererAddresses, endpointMalformed, anchorPeerIncomplete],
  find({ channel }) {
    const { ordererAddresses, organizations } = channel;
    const endpoints = ordererEndpoints(channel);
    const isMissing = usableEndpoints(channel).length === 0;
    return [
      ...(isMissing ? [noOrdererAddresses.at(ORDERER, { malformed: endpoints.length })] : []),
      ...malformed('/Channel/OrdererAddresses', ordererAddresses),
      ...organizations.flatMap((each) => [
        ...malformed(`${each.path}/Endpoints`, each.endpoints),
        ...anchorPeers(`${each.path}/AnchorPeers`, each.anchorPeers),
      ]),
    ];
  },
});

const malformed = (path: string, addresses: readonly string[]): RawFinding[] =>
  addresses
    .filter((address) => !isHostAndPort(address))
    .map((address) => endpointMalformed.at(path, { address }));

const anchorPeers = (path: string, peers: readonly Address[]): RawFinding[] =>
  peers
    .filter(({ host, port }) => !isHostAndPort(`${host}:${port}`))
    .map((peer) => anchorPeerIncomplete.at(path, { address: addressText(peer) }));

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

const ORDERER = '/Channel/Orderer';

/**
 * No current address stays with a TLS CA that peers verify it with today: a peer gets no blocks from the orderers any more, or is offline
 * and has only the old addresses. The same in two updates: the addresses that stay were added before, and no consenter is found at them.
 * And addresses of removed consenters that stay.
 */
export const movedAddresses = defineCheck({
  needs: 'update',
  rules: [ordererAddressesReplaced, ordererAddressStale],
  async find({ before, after }) {
    const [old, now] = [usableEndpoints(before.channel), usableEndpoints(after.channel)];
    const stale = staleAddresses(before.channel, after.channel);
    const found = stale.length === 0 ? [] : [ordererAddressStale.at(ORDERER, { addresses: stale })];
    // Without any address there is another finding.
    if (old.length === 0 || now.length === 0) return found;
    if (old.some((one) => now.some((other) => isReachedAt(one, other)))) {
      const running = placesOf(before.channel);
      if (!(await findConsenter(before, running)) || (await findConsenter(after, running))) return found;
      const isListed = now.some(({ address }) => running.has(placeOfAddress(address)));
      return [
        ...found,
        isListed
          ? ordererAddressesReplaced.at(ORDERER, { problem: 'tls-of-no-consenter' }, 'danger')
          : ordererAddressesReplaced.at(ORDERER, { problem: 'no-consenter' }, 'warning'),
      ];
    }
    const places = new Set(old.map(({ address }) => placeOfAddress(address)));
    const isHidden = after.channel.ordererAddresses.some((address) => places.has(placeOfAddress(address)));
    const moved = now.some(({ address }) => places.has(placeOfAddress(address)));
    const problem = moved ? 'tls' : isHidden ? 'hidden' : 'none-stays';
    return [...found, ordererAddressesReplaced.at(ORDERER, { problem }, 'danger')];
  },
});

/** Consenters by the place of their address. */
const placesOf = (channel: Channel): ReadonlyMap<string, readonly Consenter[]> =>
  groupBy(consentersOf(channel), (consenter) => placeOfAddress(addressText(consenter)));

/**
 * Whether peers find one of some consenters, which run: its address is listed, and a TLS CA of an organisation that lists it has issued its
 * certificate.
 */
async function findConsenter(
  { channel, msps, now }: ChannelState,
  places: ReadonlyMap<string, readonly Consenter[]>,
): Promise<boolean> {
  const { manager } = await msps;
  for (const { address, organizations } of usableEndpoints(channel))
    for (const consenter of places.get(placeOfAddress(address)) ?? [])
      for (const { mspId = '' } of organizations) {
        const tls = manager.msps.get(mspId)?.tls;
        if (tls === undefined) continue;
        if ((await consenterError(consenter, { tls, now, ignoreExpiration: true })) === undefined)
          return true;
      }
  return false;
}

/** The orderer addresses that are host:port. */
const usableEndpoints = (channel: Channel): readonly OrdererEndpoint[] =>
  ordererEndpoints(channel).filter(({ address }) => isHostAndPort(address));

/** The orderer addresses of a config that were addresses of consenters before an update, and are none any more. */
function staleAddresses(before: Channel, after: Channel): readonly string[] {
  const [placesBefore, placesAfter] = [placesOf(before), placesOf(after)];
  return ordererEndpoints(after)
    .map(({ address }) => address)
    .filter(
      (address) => placesBefore.has(placeOfAddress(address)) && !placesAfter.has(placeOfAddress(address)),
    );
}

/** Whether an orderer that is reached at the one endpoint is reached at the other. */
function isReachedAt(one: OrdererEndpoint, other: OrdererEndpoint): boolean {
  if (placeOfAddress(one.address) !== placeOfAddress(other.address)) return false;
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
