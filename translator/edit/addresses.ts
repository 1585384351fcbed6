// Addresses of peers and orderers.

import { badEdit } from './edited.js';

/** A host and a port. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

const MAX_PORT = 65_535;

/** Parses `host:port`; an IPv6 address is in brackets. @throws TranslateError BAD_EDIT */
export function parseAddress(text: string): Address {
  const [, bracketed, plain, digits = ''] = /^(?:\[([^\s\]]+)\]|([^\s:/]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  if (host === undefined || port < 1 || port > MAX_PORT)
    throw badEdit(
      `${JSON.stringify(text)} is not an address, HOST:PORT with a port of 1 to ${MAX_PORT} is needed`,
    );
  return { host, port };
}

/** The text of an address. */
export const addressText = ({ host, port }: Address): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`;

/** Whether two addresses are equal. */
export const sameAddress = (left: Address, right: Address): boolean =>
  left.host === right.host && left.port === right.port;

/** Refuses a list with duplicates. @throws TranslateError BAD_EDIT */
export function checkUnique(texts: readonly string[]): void {
  const duplicate = texts.find((text, index) => texts.indexOf(text) !== index);
  if (duplicate !== undefined) throw badEdit(`${duplicate} is a duplicate`);
}
