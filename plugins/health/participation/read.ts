// Reads all channels of an orderer at its Admin endpoint.

import { within } from '../../../core/contract/index.js';
import { describeResponse, type HttpClient } from '../../../core/kit/index.js';
import { channelInfo, channelNames, type ChannelInfo } from './channels.js';

const LIST = '/participation/v1/channels';
/** Requests at a time. */
const CONCURRENCY = 4;
/** Time limit for a response, in milliseconds: shorter than the deadline of checks, so that a frozen orderer does not delay `/nodes`. */
const RESPONSE_TIMEOUT = 3000;

/** @throws Error naming the request that failed */
export async function readChannels(client: HttpClient, signal: AbortSignal): Promise<ChannelInfo[]> {
  const names = await get(client, LIST, signal, channelNames);
  const channels: ChannelInfo[] = [];
  const remaining = names.values();
  const worker = async (): Promise<void> => {
    for (const name of remaining)
      channels.push(await get(client, `${LIST}/${encodeURIComponent(name)}`, signal, channelInfo));
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, names.length) }, worker));
  return channels;
}

async function get<T>(
  client: HttpClient,
  path: string,
  signal: AbortSignal,
  parse: (text: string) => T,
): Promise<T> {
  const request = { method: 'GET', path } as const;
  const what = `the response to ${client.describe(request)}`;
  const response = await within(RESPONSE_TIMEOUT, what, signal, (until) =>
    client.send({ ...request, signal: until }),
  );
  try {
    if (response.status !== 200) throw new Error(describeResponse(response, 'error'));
    return parse(response.body.toString());
  } catch (error) {
    throw new Error(`${client.describe(request)}: ${(error as Error).message}`, { cause: error });
  }
}
