// A client that sends envelopes to all orderers of a network and sees when blocks come out.

import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import { readSignerFiles } from '../../../translator/msp-folder.js';
import { parseBlock } from '../../../translator/ledger/index.js';
import { openOrderer, seekEnvelope, type Orderer } from '../../../translator/orderer/connection.js';
import { transactionOf } from '../../../translator/rehearse/channel.js';
import { findSigningIdentity } from '../../../translator/sign/index.js';
import type { FabricNetwork } from './network.js';
import { CHANNEL } from './network-files.js';
import type { FabricNode } from './node.js';

/** Time between two envelopes, in milliseconds. */
const SENDING_INTERVAL = 2_000;
/** Time between two requests for the newest block, in milliseconds. */
const LOOK_INTERVAL = 1_000;
/** Time limit of a call, in milliseconds. */
const TIMEOUT = 5_000;

/** A client that runs until it is stopped. */
export interface Ordering {
  /** When an orderer first had more blocks than all orderers before, of `performance.now()`. */
  readonly blocks: readonly number[];
  stop(): Promise<void>;
}

/** Sends an envelope of a client of the first organisation to all orderers every two seconds. */
export async function startOrdering(
  t: ExecutionContext,
  { orderers, peers: [peer] }: FabricNetwork,
): Promise<Ordering> {
  const { mspId, client } = peer.identity;
  const signer = await findSigningIdentity({ mspid: mspId, ...readSignerFiles(client) });
  const newest = { channel: CHANNEL, position: 'newest', headerOnly: true, signer } as const;
  const blocks: number[] = [];
  let isStopped = false;
  t.teardown(() => (isStopped = true));
  let envelope = await transactionOf(CHANNEL, signer);
  let last: bigint | undefined;
  const look = async (orderer: Orderer): Promise<void> => {
    const request = { ...newest, clientCertificateHash: undefined, now: new Date() };
    const { number } = parseBlock(await orderer.deliver(await seekEnvelope(request)));
    if (last !== undefined && number <= last) return;
    if (last !== undefined) blocks.push(performance.now());
    last = number;
  };
  const repeat = async (interval: number, action: () => Promise<unknown>): Promise<void> => {
    while (!isStopped) {
      await action();
      await sleep(interval);
    }
  };
  const running = [
    repeat(SENDING_INTERVAL, async () => (envelope = await transactionOf(CHANNEL, signer))),
    ...orderers.flatMap((node) => {
      const [sending, looking] = [connectionTo(node), connectionTo(node)];
      return [
        repeat(SENDING_INTERVAL, () => sending((orderer) => orderer.broadcast(envelope))),
        repeat(LOOK_INTERVAL, () => looking(look)),
      ];
    }),
  ];
  return {
    blocks,
    async stop() {
      isStopped = true;
      await Promise.all(running);
    },
  };
}

/** Returns a function that calls an orderer; after a call that failed it connects again: gRPC would wait longer after each failure. */
function connectionTo({ address, identity }: FabricNode) {
  let connection: Promise<Orderer> | undefined;
  return async (call: (orderer: Orderer) => Promise<unknown>): Promise<void> => {
    const options = { address, cas: readFileSync(identity.tls.ca), timeout: TIMEOUT };
    const orderer = await (connection ??= openOrderer(options));
    try {
      await call(orderer);
    } catch {
      orderer.close();
      connection = undefined;
    }
  };
}
