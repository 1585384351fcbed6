// `peer.deliveryclient.addressOverrides`: addresses of orderers that a peer uses instead of their addresses in the config of a channel.

import { isMapping } from '../formats.js';

/** An entry of the list; missing members are empty. */
export interface AddressOverride {
  /** The address in the config of the channel. */
  readonly from: string;
  readonly to: string;
  /** PEM file with the CAs of the TLS certificate at `to`; a peer resolves it against its working directory. */
  readonly caCertsFile: string;
}

/**
 * The entries of the list (Fabric: core/deliverservice/config.go, `LoadOverridesMap`). Entries that are not mappings are skipped: a peer does
 * not start with them.
 */
export function addressOverridesIn(list: readonly unknown[]): readonly AddressOverride[] {
  return list.flatMap((entry) => {
    if (!(entry instanceof Map) && !isMapping(entry)) return [];
    const entries = entry instanceof Map ? [...entry] : Object.entries(entry);
    const values = new Map(entries.map(([key, text]) => [String(key).toLowerCase(), text as unknown]));
    const text = (key: string): string => {
      const given = values.get(key);
      return typeof given === 'string' || typeof given === 'number' ? String(given) : '';
    };
    return [{ from: text('from'), to: text('to'), caCertsFile: text('cacertsfile') }];
  });
}
