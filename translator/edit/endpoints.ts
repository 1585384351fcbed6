// Changes the addresses of orderers: the endpoints of an organisation, and the global addresses of old channels.

import { addressText } from '../config/address.js';
import { replaceFields } from '../../proto/typed.js';
import { CommonOrdererAddresses } from '../../proto/messages.js';
import { allowsOrganizationEndpoints, requiresOrganizationEndpoints } from '../config/capabilities.js';
import type { Config, ConfigGroup } from '../config/element.js';
import { valueOrEmpty } from '../config/values.js';
import { checkUnique, parseAddress } from './addresses.js';
import { badEdit, edited, type Edited } from './edited.js';
import { findOrganization, organizationsOf, type Organization } from './organizations.js';
import { changeGroup, pathOf, withValue } from './tree.js';

const CUT_OFF =
  'peers that do not get the block with the new addresses before the old ones stop working are cut off';

/** The endpoints of an organisation of the orderers. */
export const endpointsOf = (group: ConfigGroup): readonly string[] =>
  valueOrEmpty(group, 'ordererOrganization', 'Endpoints').addresses;

/** The global addresses of a channel. */
export const globalAddressesOf = ({ channelGroup }: Config): readonly string[] =>
  valueOrEmpty(channelGroup, 'channel', 'OrdererAddresses').addresses;

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

/** Sets the endpoints of an organisation of the orderers. @throws TranslateError BAD_EDIT */
export function setEndpoints(config: Config, wanted: string, addresses: readonly string[]): Edited {
  const { path, group } = findOrganization(config, wanted, ['Orderer']);
  checkAllowed(config);
  const texts = addresses.map((text) => addressText(parseAddress(text)));
  checkUnique(texts);
  const removed = endpointsOf(group).filter((each) => !texts.includes(each));
  return edited(
    config,
    changeGroup(config.channelGroup, path, (each) => withAddresses(each, 'Endpoints', texts)),
    `endpoints of ${pathOf(...path)}: ${texts.join(', ')}`,
    ...(removed.length === 0 ? [] : [`${removed.join(', ')} removed: ${CUT_OFF}`]),
  );
}

function checkAllowed({ channelGroup }: Config): void {
  const { capabilities } = valueOrEmpty(channelGroup, 'channel', 'Capabilities');
  if (!allowsOrganizationEndpoints(capabilities))
    throw badEdit(
      'the channel capability V1_4_2 or a newer one is needed for endpoints of organisations; set channel.ordererAddresses instead',
    );
}

/** Adds an address: to the organisation, or to the global addresses if the organisation has no endpoints and the channel has these. */
export function addEndpoint(config: Config, { path, group }: Organization, address: string): Edited {
  const endpoints = endpointsOf(group);
  const addresses = globalAddressesOf(config);
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
    changeGroup(config.channelGroup, path, (each) =>
      withAddresses(each, 'Endpoints', [...endpoints, address]),
    ),
    `${address} added to the endpoints of ${pathOf(...path)}`,
  );
}

/** Removes an address wherever it is, except the last endpoint of an organisation that must have one. */
export function removeEndpoint(config: Config, address: string): Edited {
  const { capabilities } = valueOrEmpty(config.channelGroup, 'channel', 'Capabilities');
  const notes: string[] = [];
  let { channelGroup } = config;
  for (const { path, group } of organizationsOf(config, ['Orderer'])) {
    const endpoints = endpointsOf(group);
    if (!endpoints.includes(address)) continue;
    const rest = endpoints.filter((each) => each !== address);
    if (rest.length === 0 && requiresOrganizationEndpoints(capabilities)) {
      notes.push(`${address} stays: it is the only endpoint of ${pathOf(...path)}, and V3_0 requires one`);
      continue;
    }
    channelGroup = changeGroup(channelGroup, path, (each) => withAddresses(each, 'Endpoints', rest));
    notes.push(`${address} removed from the endpoints of ${pathOf(...path)}`);
  }
  const addresses = globalAddressesOf(config);
  if (addresses.includes(address)) {
    const rest = addresses.filter((each) => each !== address);
    channelGroup = withAddresses(channelGroup, 'OrdererAddresses', rest);
    notes.push(`${address} removed from the addresses of ${pathOf('OrdererAddresses')}`);
  }
  return edited(config, channelGroup, ...notes);
}
