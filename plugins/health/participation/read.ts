// Reads all channels of an orderer at its Admin endpoint.

import { within } from '../../../core/contract/index.js';
import { describeResponse, type HttpClient } from '../../../core/kit/index.js';
import { channelInfo, channelNames, type ChannelInfo } from './channels.js';

const LIST = '/participation/v1/channels';
/** Requests at a time. */
const CONCURRENCY = 4;
/** Time limit for a response, in milliseconds: shorter than the deadline of checks, so that a frozen orderer does not delay `/nodes`. */
const RESPONSE_TIMEOUT = 3000;

/**
 * Reads the channels. A channel that the orderer lists but does not know a moment later was removed meanwhile.
 *
 * @throws Error naming the request that failed
 */
export async function readChannels(client: HttpClient, signal: AbortSignal): Promise<ChannelInfo[]> {
  const names = (await get(client, LIST, signal, channelNames)) ?? [];
  const channels: ChannelInfo[] = [];
  const remaining = names.values();
  const worker = async (): Promise<void> => {
    for (const name of remaining) {
      const path = `${LIST}/${encodeURIComponent(name)}`;
      const channel = await get(client, path, signal, channelInfo, [404]);
      if (channel !== undefined) channels.push(channel);
    }
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, names.length) }, worker));
  return channels;
}

/** @param gone the statuses of a resource that does not exist @returns undefined if it does not exist */
async function get<T>(
  client: HttpClient,
  path: string,
  signal: AbortSignal,
  parse: (text: string) => T,
  gone: readonly number[] = [],
): Promise<T | undefined> {
  const request = { method: 'GET', path } as const;
  const what = `the response to ${client.describe(request)}`;
  const response = await within(RESPONSE_TIMEOUT, what, signal, (until) =>
    client.send({ ...request, signal: until }),
  );
  try {
    if (gone.includes(response.status)) return undefined;
    if (response.status !== 200) throw new Error(describeResponse(response, 'error'));
    return parse(response.body.toString());
  } catch (error) {
    throw new Error(`${client.describe(request)}: ${(error as Error).message}`, { cause: error });
  }
}
