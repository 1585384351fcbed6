import { formatHostPort } from '../common/text/host-port.js';
import type { ImpliedOptions, NodeConfig } from '../contract/implied.js';

/** The options of a plugin that connects to the operations endpoint of a node beside the agent. */
export const endpointOptions = ({ address, tls }: NodeConfig): ImpliedOptions => ({
  address: { ...address, value: formatHostPort(address.value) },
  ...tls,
});
