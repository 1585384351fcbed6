// One poll of a node: its health, and whether it responds at all while it checks itself.

import { setTimeout as wait } from 'node:timers/promises';
import { within } from '../../../core/contract/index.js';
import type { HttpClient, HttpResponse } from '../../../core/kit/index.js';

export const HEALTH = { method: 'GET', path: '/healthz' } as const;
/** A node responds to this at once, whatever state its components are in. */
const VERSION = { method: 'GET', path: '/version' } as const;

/** When the node is asked whether it responds, after the poll began, in milliseconds. */
const FROZEN_AFTER = 1000;
/** Longest response to that, in milliseconds. */
const RESPONSE_TIMEOUT = 3000;

/** The part of the client that a poll needs. */
type Client = Pick<HttpClient, 'send' | 'describe'>;

/**
 * Requests the health of a node. A node may take 30 s to check itself; one that does not respond to anything else meanwhile is frozen.
 *
 * @returns the response to `/healthz`
 * @throws the reason of the request that failed, or an Error when the node does not respond
 */
export async function pollNode(client: Client, signal: AbortSignal): Promise<HttpResponse> {
  const end = new AbortController();
  const both = AbortSignal.any([signal, end.signal]);
  const frozen = untilFrozen(client, both);
  // It is rejected when the poll ends.
  frozen.catch(() => undefined);
  try {
    return await Promise.race([client.send({ ...HEALTH, signal: both }), frozen]);
  } finally {
    end.abort();
  }
}

/** Never resolves; rejects when the node does not respond, or is aborted. */
async function untilFrozen(client: Client, signal: AbortSignal): Promise<never> {
  for (;;) {
    await wait(FROZEN_AFTER, undefined, { signal, ref: false });
    await within(RESPONSE_TIMEOUT, `the response to ${client.describe(VERSION)}`, signal, (until) =>
      client.send({ ...VERSION, signal: until }),
    );
  }
}
