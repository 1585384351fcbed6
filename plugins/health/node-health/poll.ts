// One poll of a node: its health, and whether it responds to other requests while it checks itself.

import { setTimeout as wait } from 'node:timers/promises';
import { within } from '../../../core/contract/index.js';
import type { HttpClient, HttpResponse } from '../../../core/kit/index.js';

export const HEALTH = { method: 'GET', path: '/healthz' } as const;
/** A node responds to this at once, in any state of its components. */
const VERSION = { method: 'GET', path: '/version' } as const;

/** The wait before each request for the version during a poll, in milliseconds. */
const FROZEN_AFTER = 1000;
/** The time limit for the version, in milliseconds. */
const RESPONSE_TIMEOUT = 3000;

/** The part of the client that a poll needs. */
type Client = Pick<HttpClient, 'send' | 'describe'>;

/**
 * Requests the health of a node. A node may take 30 s to check itself. If it does not respond to other requests meanwhile, it is frozen.
 *
 * @returns the response to `/healthz`
 * @throws the error of the failed request, or an Error when the node does not respond
 */
export async function pollNode(client: Client, signal: AbortSignal): Promise<HttpResponse> {
  const end = new AbortController();
  const both = AbortSignal.any([signal, end.signal]);
  const frozen = untilFrozen(client, both);
  // It rejects when the poll ends.
  frozen.catch(() => undefined);
  try {
    return await Promise.race([client.send({ ...HEALTH, signal: both }), frozen]);
  } finally {
    end.abort();
  }
}

/** Never resolves; rejects when the node does not respond, or the signal is aborted. */
async function untilFrozen(client: Client, signal: AbortSignal): Promise<never> {
  for (;;) {
    await wait(FROZEN_AFTER, undefined, { signal, ref: false });
    await within(RESPONSE_TIMEOUT, `the response to ${client.describe(VERSION)}`, signal, (until) =>
      client.send({ ...VERSION, signal: until }),
    );
  }
}
