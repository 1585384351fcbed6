// The network of the container of a peer: the orderers in it that this host reaches at published ports, and what it does not reach.

import { formatHostPort } from '../../core/common/text/host-port.js';
import type { WithOrigin } from '../../core/common/text/with-origin.js';
import type { Container, ContainerNetwork } from './container.js';

/** An address in the network of a container, and where this host has it, both `host:port`. */
interface NetworkAddress {
  readonly from: string;
  readonly to: string;
}

/** What the agent has of the network of a container. */
interface Reached {
  /** The addresses of the named orderers in it. */
  readonly addresses: readonly NetworkAddress[];
  /** What is not checked, because only its address in the network is known, with a remedy. */
  readonly unchecked: readonly string[];
}

/**
 * What the agent has of the network of the container of a peer.
 *
 * @param values the configuration of the peer
 * @param orderers the containers of the named orderers
 */
export function reachedIn(
  { networks }: ContainerNetwork,
  values: ReadonlyMap<string, WithOrigin<unknown>>,
  orderers: readonly Container[],
): Reached {
  const addresses = orderers.flatMap(({ network: other }) =>
    other?.networks.some((each) => networks.includes(each)) === true ? addressesIn(other) : [],
  );
  const builders = values.get('externalBuilders')?.value;
  const hasCouchDb = values.get('couchdb.stateDatabase')?.value === 'CouchDB';
  return {
    addresses,
    unchecked: [
      ...(addresses.length === 0 ? ['its orderers (name them with --node and --node-env)'] : []),
      ...(hasCouchDb ? ['its CouchDB (list the plugin couchdb with the address on this host)'] : []),
      ...(Array.isArray(builders) && builders.length > 0 ? ['its chaincode servers'] : []),
    ],
  };
}

const addressesIn = ({ names, published }: ContainerNetwork): NetworkAddress[] =>
  names.flatMap((host) =>
    [...published].map(([port, address]) => ({
      from: formatHostPort({ host, port }),
      to: formatHostPort(address),
    })),
  );
