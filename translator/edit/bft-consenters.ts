// The consenters of a BFT channel: the value Orderers, and the policy BlockValidation that must fit it byte by byte.

import { blockValidationPolicy } from '../config/block-validation.js';
import type { ConfigGroup } from '../config/element.js';
import { valueOrEmpty, type BftConsenter } from '../config/values.js';
import { concatBytes } from '../config/bytes.js';
import type { ConsenterEntry } from './consenters.js';
import { bytesField, contentsOf, listField, numberField, replaceField, textField } from './fields.js';
import { withPolicy, withValue } from './tree.js';

const CONSENTERS = 1;
const IDENTITY = 5;
const CLIENT_CERTIFICATE = 6;
const SERVER_CERTIFICATE = 7;

/** A consenter with its bytes. */
export type BftEntry = ConsenterEntry & BftConsenter;

/** The consenters of the group Orderer. */
export function bftConsenters(orderer: ConfigGroup): BftEntry[] {
  const { consenterMapping } = valueOrEmpty(orderer, 'orderer', 'Orderers');
  const bytes = contentsOf(orderer.values.get('Orderers')?.value ?? new Uint8Array(), CONSENTERS);
  return consenterMapping.map((consenter, index) => ({ ...consenter, bytes: bytes[index]! }));
}

/** Replaces the consenters, and the policy BlockValidation. */
export function withBftConsenters(
  orderer: ConfigGroup,
  entries: readonly { readonly bytes: Uint8Array }[],
): ConfigGroup {
  const value = orderer.values.get('Orderers')?.value ?? new Uint8Array();
  const list = listField(
    CONSENTERS,
    entries.map(({ bytes }) => bytes),
  );
  const changed = withValue(orderer, 'Orderers', replaceField(value, CONSENTERS, list));
  const { consenterMapping } = valueOrEmpty(changed, 'orderer', 'Orderers');
  return withPolicy(changed, 'BlockValidation', blockValidationPolicy(consenterMapping));
}

/** A serialized `common.Consenter`. */
export const bftConsenter = (consenter: BftConsenter): Uint8Array =>
  concatBytes(
    numberField(1, consenter.id),
    textField(2, consenter.host),
    numberField(3, consenter.port),
    textField(4, consenter.mspId),
    bytesField(IDENTITY, consenter.identity),
    bytesField(CLIENT_CERTIFICATE, consenter.clientTlsCert),
    bytesField(SERVER_CERTIFICATE, consenter.serverTlsCert),
  );

/** A consenter with other certificates. */
export function rotatedBftConsenter(
  consenter: Uint8Array,
  { identity, client, server }: Readonly<Record<'identity' | 'client' | 'server', Uint8Array>>,
): Uint8Array {
  const fields = [
    [IDENTITY, identity],
    [CLIENT_CERTIFICATE, client],
    [SERVER_CERTIFICATE, server],
  ] as const;
  return fields.reduce(
    (message, [number, bytes]) => replaceField(message, number, bytesField(number, bytes)),
    consenter,
  );
}
