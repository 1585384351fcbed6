// Hazards: anchor peers, endpoints of orderers, addresses of the channel.

import { addressText } from '../../config/address.js';
import { valueOrEmpty } from '../../config/values.js';
import { hazard, type Finding } from '../finding.js';
import type { State } from '../facts/state.js';

const MAX_PORT = 65_535;

export function addressHazards(state: State): Finding[] {
  const { addresses } = valueOrEmpty(state.config.channelGroup, 'channel', 'OrdererAddresses');
  return [
    ...malformed('/Channel/OrdererAddresses', addresses),
    ...state.organizations.flatMap(({ section, group, path }) =>
      section === 'Orderer'
        ? malformed(`${path}/Endpoints`, valueOrEmpty(group, 'ordererOrganization', 'Endpoints').addresses)
        : anchorPeers(
            `${path}/AnchorPeers`,
            valueOrEmpty(group, 'applicationOrganization', 'AnchorPeers').anchorPeers,
          ),
    ),
  ];
}

const isPort = (port: number): boolean => port > 0 && port <= MAX_PORT;

function malformed(path: string, addresses: readonly string[]): Finding[] {
  return addresses
    .filter((address) => {
      const [, port] = /^.+:(\d{1,5})$/.exec(address) ?? [];
      return port === undefined || !isPort(Number(port));
    })
    .map((address) =>
      hazard(
        'warning',
        'endpoint-malformed',
        path,
        `the address ${JSON.stringify(address)} is not host:port: peers and clients cannot connect to it`,
        'write it as host:port',
      ),
    );
}

function anchorPeers(
  path: string,
  peers: readonly { readonly host: string; readonly port: number }[],
): Finding[] {
  return peers
    .filter(({ host, port }) => host === '' || !isPort(port))
    .map((peer) =>
      hazard(
        'warning',
        'anchor-peer-incomplete',
        path,
        `the anchor peer ${JSON.stringify(addressText(peer))} has no valid host and port: peers of other organisations cannot reach it`,
        'set its host and port',
      ),
    );
}

/** Addresses that all change: a peer that is offline has only the old ones. */
export function movedAddressHazards(before: State, after: State): Finding[] {
  const [old, now] = [addressesOf(before), addressesOf(after)];
  if (old.size === 0 || [...old].some((address) => now.has(address))) return [];
  return [
    hazard(
      'danger',
      'orderer-addresses-replaced',
      '/Channel/Orderer',
      'none of the present orderer addresses stays: a peer that is offline while this happens never finds the orderers again',
      'first add the new addresses, wait until every peer has that block, then remove the old ones; addressOverrides in core.yaml helps a peer that is cut off',
    ),
  ];
}

function addressesOf({ config, organizations }: State): Set<string> {
  const { addresses } = valueOrEmpty(config.channelGroup, 'channel', 'OrdererAddresses');
  const endpoints = organizations
    .filter(({ section }) => section === 'Orderer')
    .flatMap(({ group }) => valueOrEmpty(group, 'ordererOrganization', 'Endpoints').addresses);
  return new Set([...addresses, ...endpoints]);
}
