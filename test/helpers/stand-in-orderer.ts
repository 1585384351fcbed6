// Stand-ins for orderers: they have given blocks, in the process or behind gRPC on the loopback interface.

import type { ExecutionContext } from 'ava';
import { TranslateError } from '../../proto/errors.js';
import {
  CommonBlock,
  CommonEnvelope,
  CommonPayload,
  OrdererDeliverResponse,
  OrdererSeekInfo,
} from '../../proto/messages.js';
import { readMessage, writeMessage } from '../../proto/typed.js';
import { blockBytes, type StoredBlock } from '../../translator/ledger/index.js';
import type { Asking, Orderer } from '../../translator/orderer/index.js';
import { grpcServer, respond } from './grpc-server.js';

/** Who asks, of the channel `ch1`; nobody verifies the signature. */
export const ASKING: Asking = {
  channel: 'ch1',
  signer: {
    creator: new Uint8Array([1]),
    certificate: undefined as never,
    sign: async () => new Uint8Array([2]),
  },
  clientCertificateHash: undefined,
};

/** The number of the block that a request asks for. */
function askedFor(envelope: Uint8Array, blocks: readonly StoredBlock[]): number {
  const { data } = readMessage(CommonPayload, readMessage(CommonEnvelope, envelope).payload);
  const { start } = readMessage(OrdererSeekInfo, data);
  return Number(start?.specified?.number ?? (start?.newest === undefined ? 0 : blocks.length - 1));
}

/** An orderer that has blocks. */
export function ordererWith(
  blocks: readonly StoredBlock[],
  address = 'o:1',
): Orderer & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    address,
    asked,
    async deliver(envelope) {
      const at = askedFor(envelope, blocks);
      asked.push(String(at));
      const block = blocks[at];
      if (block === undefined) throw new TranslateError('REFUSED', `no block ${at}`);
      return blockBytes(block);
    },
    broadcast: async () => ({ status: 500, info: '' }),
    close: () => undefined,
  };
}

/** An orderer that nobody reaches. */
export const silent = (address: string): Orderer => ({
  ...ordererWith([], address),
  deliver: async () => {
    throw new TranslateError('UNREACHABLE', 'connection refused');
  },
});

const NOT_FOUND = 404;

/** An orderer that listens. Its blocks can be given later, because they may have its address. */
export interface ListeningOrderer {
  /** `host:port` */
  readonly address: string;
  blocks: readonly StoredBlock[];
  /** The status of all its responses; undefined: it sends blocks. `silent`: it does not respond. */
  refusal: number | 'silent' | undefined;
  /** How many requests for blocks it got. */
  readonly requests: () => number;
  /** How many connections are open. */
  readonly sessions: () => number;
}

/** Starts an orderer without TLS; it is stopped at the end of the test. */
export async function listeningOrderer(t: Pick<ExecutionContext, 'teardown'>): Promise<ListeningOrderer> {
  let requests = 0;
  const orderer: ListeningOrderer & { address: string } = {
    address: '',
    blocks: [],
    refusal: undefined,
    requests: () => requests,
    sessions: () => sessions(),
  };
  const { address, sessions } = await grpcServer(t, (stream, body) => {
    requests += 1;
    const { refusal } = orderer;
    if (refusal === 'silent') return;
    const block = orderer.blocks[askedFor(new Uint8Array(body.subarray(PREFIX)), orderer.blocks)];
    const message = writeMessage(
      OrdererDeliverResponse,
      block === undefined || refusal !== undefined
        ? { status: refusal ?? NOT_FOUND }
        : { block: readMessage(CommonBlock, blockBytes(block)) },
    );
    const prefix = Buffer.alloc(PREFIX);
    prefix.writeUInt32BE(message.length, 1);
    respond(Buffer.concat([prefix, message]))(stream, body);
  });
  orderer.address = `${address.host}:${address.port}`;
  return orderer;
}

/** The bytes before a message of gRPC. */
const PREFIX = 5;
