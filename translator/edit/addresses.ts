// Reads the addresses of edits.

import type { Address } from '../config/address.js';
import { badEdit } from './edited.js';

const MAX_PORT = 65_535;

/**
 * Parses `host:port`; an IPv6 address is in brackets, which stay: orderers and peers connect to `host`, `:` and `port`
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
