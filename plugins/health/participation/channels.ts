// The documents of the participation API of an orderer (orderer/common/types, `ChannelList` and `ChannelInfo`).

import { parseForeignJson, quote } from '../../../core/kit/index.js';

/** Most channels that are checked. */
const MAX_CHANNELS = 1_000;
/** Longest name of a channel (common/configtx/validator.go, `MaxLength`). */
const MAX_NAME = 249;

/** A channel of an orderer. */
export interface ChannelInfo {
  readonly name: string;
  /** `active`, `inactive`, `onboarding` or `failed`. */
  readonly status: string;
  readonly height: number;
}

/**
 * The names of the channels in the response to `GET /participation/v1/channels`, with the system channel of Fabric 2.
 *
 * @throws Error when the response is not valid
 */
export function channelNames(text: string): string[] {
  const { channels: others, systemChannel = null } = objectIn(text);
  // Go writes an empty list as null.
  if (others !== null && !Array.isArray(others)) throw unexpected(text);
  const channels: unknown[] = [...(systemChannel === null ? [] : [systemChannel]), ...(others ?? [])];
  if (channels.length > MAX_CHANNELS)
    throw new Error(`the orderer has ${channels.length} channels; at most ${MAX_CHANNELS} are checked`);
  return channels.map((channel) => {
    const { name } = (channel ?? {}) as { readonly name?: unknown };
    if (typeof name !== 'string' || name === '' || name.length > MAX_NAME) throw unexpected(text);
    return name;
  });
}

/** The channel in the response for one channel. @throws Error when the response is not valid */
export function channelInfo(text: string): ChannelInfo {
  const { name, status, height } = objectIn(text);
  if (
    typeof name !== 'string' ||
    name.length > MAX_NAME ||
    typeof status !== 'string' ||
    typeof height !== 'number'
  )
    throw unexpected(text);
  return { name, status: quote(status), height };
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = parseForeignJson(text);
  } catch {
    throw unexpected(text);
  }
  if (typeof value !== 'object' || value === null) throw unexpected(text);
  return Object.assign(Object.create(null) as Record<string, unknown>, value);
}

const unexpected = (text: string): Error =>
  new Error(
    `unexpected response: expected a document of the participation API, found ${quote(text) || 'an empty body'}`,
  );
