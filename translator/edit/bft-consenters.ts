// The consenters of a BFT channel: the value Orderers, and the policy BlockValidation that must fit it byte by byte.

import { CommonConsenter, CommonOrderers } from '../../proto/messages.js';
import { readMessage, replaceFields, writeMessage } from '../../proto/typed.js';
import { blockValidationPolicy } from '../config/block-validation.js';
import type { ConfigGroup } from '../config/element.js';
import { valueOrEmpty, type BftConsenter } from '../config/values.js';
import type { ConsenterEntry } from './consenters.js';
import { withPolicy, withValue } from './tree.js';

/** A consenter with its bytes. */
export type BftEntry = ConsenterEntry & BftConsenter;

/** The consenters of the group Orderer. */
export function bftConsenters(orderer: ConfigGroup): BftEntry[] {
  const { consenterMapping } = valueOrEmpty(orderer, 'orderer', 'Orderers');
  const value = orderer.values.get('Orderers')?.value ?? new Uint8Array();
  const { consenterMapping: bytes } = readMessage(CommonOrderers, value, ['consenterMapping']);
  return consenterMapping.map((consenter, index) => ({ ...consenter, bytes: bytes[index]! }));
}

/** Replaces the consenters, and the policy BlockValidation. */
export function withBftConsenters(
  orderer: ConfigGroup,
  entries: readonly { readonly bytes: Uint8Array }[],
): ConfigGroup {
  const value = orderer.values.get('Orderers')?.value ?? new Uint8Array();
  const consenters = { consenterMapping: entries.map(({ bytes }) => bytes) };
  const changed = withValue(orderer, 'Orderers', replaceFields(CommonOrderers, value, consenters));
  const { consenterMapping } = valueOrEmpty(changed, 'orderer', 'Orderers');
  return withPolicy(changed, 'BlockValidation', blockValidationPolicy(consenterMapping));
}

/** A serialized `common.Consenter`. */
export const bftConsenter = (consenter: BftConsenter): Uint8Array => writeMessage(CommonConsenter, consenter);

/** A consenter with other certificates. */
export const rotatedBftConsenter = (
  consenter: Uint8Array,
  { identity, client, server }: Readonly<Record<'identity' | 'client' | 'server', Uint8Array>>,
): Uint8Array =>
  replaceFields(CommonConsenter, consenter, { identity, clientTlsCert: client, serverTlsCert: server });
