// Changes the addresses of peers and orderers: anchor peers, the endpoints of an organisation, and the global addresses of old channels.

import {
  type Address,
  addressText,
  sameAddress,
  type Config,
  type ConfigGroup,
  channelOf,
  type Organization,
  pathOf,
  allowsOrganizationEndpoints,
  requiresOrganizationEndpoints,
  MAX_PORT,
} from '../channel/index.js';
import { badEdit, type Edited, edited } from './edited.js';
import { readMessage, writeMessage, replaceFields } from '../../proto/typed.js';
import { CommonOrdererAddresses, ProtosAnchorPeer, ProtosAnchorPeers } from '../../proto/messages.js';
import { changeGroup, findOrganization, withValue } from './tree.js';

/**
 * Parses `host:port`. An IPv6 address keeps its brackets: orderers and peers connect to `host`, `:` and `port`
 * (orderer/consensus/etcdraft/chain.go, `remotePeers`; gossip/gossip/gossip_impl.go, `learnAnchorPeers`).
 *
 * @throws TranslateError BAD_EDIT
 */
export function parseAddress(text: string): Address {
  const [, host, digits = ''] = /^(\[[^\s\]]+\]|[^\s:/]+):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (host === undefined || port < 1 || port > MAX_PORT)
    throw badEdit(
      `${JSON.stringify(text)} is not an address, HOST:PORT with a port of 1 to ${MAX_PORT} is needed`,
    );
  return { host, port };
}

/** Refuses a list with duplicates. @throws TranslateError BAD_EDIT */
export function checkUnique(texts: readonly string[]): void {
  const duplicate = texts.find((text, index) => texts.indexOf(text) !== index);
  if (duplicate !== undefined) throw badEdit(`${duplicate} is a duplicate`);
}

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
  const { names, path: place, group, anchorPeers } = findOrganization(config, wanted, 'Application');
  const given = addresses.map(parseAddress);
  checkUnique(given.map(addressText));
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
  const content = replaceFields(ProtosAnchorPeers, value, { anchorPeers: next.map(({ bytes }) => bytes) });
  return edited(
    config,
    changeGroup(config.channelGroup, names, (each) => withValue(each, 'AnchorPeers', content)),
    `anchor peers of ${place}: ${next.length === 0 ? 'none' : next.map(addressText).join(', ')}`,
  );
}

const CUT_OFF =
  'peers are cut off if they do not receive the block with the new addresses before the old ones stop working';

/** Replaces the addresses in a value; removes it if there are none. */
export function withAddresses(
  group: ConfigGroup,
  name: 'Endpoints' | 'OrdererAddresses',
  addresses: readonly string[],
): ConfigGroup {
  if (addresses.length === 0) return withValue(group, name, undefined);
  const old = group.values.get(name)?.value ?? new Uint8Array();
  return withValue(group, name, replaceFields(CommonOrdererAddresses, old, { addresses }));
}

/** Sets the endpoints of an orderer organisation. @throws TranslateError BAD_EDIT */
export function setEndpoints(config: Config, wanted: string, addresses: readonly string[]): Edited {
  const { names, path, endpoints } = findOrganization(config, wanted, 'Orderer');
  checkAllowed(config);
  const texts = addresses.map((text) => addressText(parseAddress(text)));
  checkUnique(texts);
  const removed = endpoints.filter((each) => !texts.includes(each));
  return edited(
    config,
    changeGroup(config.channelGroup, names, (each) => withAddresses(each, 'Endpoints', texts)),
    `endpoints of ${path}: ${texts.join(', ')}`,
    ...(removed.length === 0 ? [] : [`${removed.join(', ')} removed: ${CUT_OFF}`]),
  );
}

function checkAllowed(config: Config): void {
  if (!allowsOrganizationEndpoints(channelOf(config).capabilities))
    throw badEdit(
      'the channel capability V1_4_2 or a newer one is needed for endpoints of organisations; set channel.ordererAddresses instead',
    );
}

/** Adds an endpoint to the organisation, or to the global addresses if the channel has some and the organisation has no endpoints. */
export function addEndpoint(
  config: Config,
  { names, path, endpoints }: Organization,
  address: string,
): Edited {
  const { ordererAddresses: addresses } = channelOf(config);
  if (endpoints.includes(address)) return { config, notes: [] };
  if (endpoints.length === 0 && addresses.length > 0) {
    if (addresses.includes(address)) return { config, notes: [] };
    return edited(
      config,
      withAddresses(config.channelGroup, 'OrdererAddresses', [...addresses, address]),
      `${address} added to the addresses of ${pathOf('OrdererAddresses')}`,
    );
  }
  checkAllowed(config);
  return edited(
    config,
    changeGroup(config.channelGroup, names, (each) =>
      withAddresses(each, 'Endpoints', [...endpoints, address]),
    ),
    `${address} added to the endpoints of ${path}`,
  );
}

/** Removes an address everywhere, except the last endpoint of an organisation that must have one. */
export function removeEndpoint(config: Config, address: string): Edited {
  const { capabilities, orderer, ordererAddresses: addresses } = channelOf(config);
  const notes: string[] = [];
  let { channelGroup } = config;
  for (const { names, path, endpoints } of orderer.organizations) {
    if (!endpoints.includes(address)) continue;
    const rest = endpoints.filter((each) => each !== address);
    if (rest.length === 0 && requiresOrganizationEndpoints(capabilities)) {
      notes.push(`${address} stays: it is the only endpoint of ${path}, and V3_0 requires one`);
      continue;
    }
    channelGroup = changeGroup(channelGroup, names, (each) => withAddresses(each, 'Endpoints', rest));
    notes.push(`${address} removed from the endpoints of ${path}`);
  }
  if (addresses.includes(address)) {
    const rest = addresses.filter((each) => each !== address);
    channelGroup = withAddresses(channelGroup, 'OrdererAddresses', rest);
    notes.push(`${address} removed from the addresses of ${pathOf('OrdererAddresses')}`);
  }
  return edited(config, channelGroup, ...notes);
}
