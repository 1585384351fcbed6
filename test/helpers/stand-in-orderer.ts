// Stand-ins for orderers: they have given blocks, in the process or behind gRPC on the loopback interface.

import { sign } from 'node:crypto';
import type { SecureServerOptions } from 'node:http2';
import type { ExecutionContext } from 'ava';
import { TranslateError } from '../../proto/errors.js';
import {
  CommonBlock,
  CommonEnvelope,
  CommonPayload,
  OrdererBroadcastResponse,
  OrdererDeliverResponse,
  OrdererSeekInfo,
} from '../../proto/messages.js';
import { readMessage, writeMessage } from '../../proto/typed.js';
import { blockBytes, type StoredBlock } from '../../translator/ledger/index.js';
import type { Asking, Orderer } from '../../translator/orderer/index.js';
import { readPemCertificate } from '../../translator/msp/index.js';
import { grpcServer, respond, type Respond } from './grpc-server.js';
import { makeCertificate } from './made-certificates.js';

const CLIENT = makeCertificate({ commonName: 'client' });

/** Who asks, of the channel `ch1`. The stand-ins do not verify the signature, but the signer does. */
export const ASKING: Asking = {
  channel: 'ch1',
  signer: {
    creator: new Uint8Array([1]),
    certificate: readPemCertificate(CLIENT.pem)!,
    sign: async (message) => sign('sha256', message, CLIENT.key),
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
  /** Gets each envelope that is submitted; the orderer accepts it. */
  accept: (envelope: Uint8Array) => void;
  /** How many requests for blocks it got. */
  readonly requests: () => number;
  /** How many connections it got. */
  readonly connections: () => number;
  /** How many of them are open. */
  readonly openConnections: () => number;
}

/** Starts an orderer, with TLS if there are options for it; it is stopped at the end of the test. */
export async function listeningOrderer(
  t: Pick<ExecutionContext, 'teardown'>,
  tls?: SecureServerOptions,
): Promise<ListeningOrderer> {
  let requests = 0;
  const orderer: ListeningOrderer & { address: string } = {
    address: '',
    blocks: [],
    refusal: undefined,
    accept: () => undefined,
    requests: () => requests,
    connections: () => opened(),
    openConnections: () => sessions(),
  };
  const answer: Respond = (stream, body, path) => {
    const envelope = new Uint8Array(body.subarray(PREFIX));
    if (path.endsWith('/Broadcast')) {
      orderer.accept(envelope);
      respond(framed(writeMessage(OrdererBroadcastResponse, { status: 200 })))(stream, body, path);
      return;
    }
    requests += 1;
    const { refusal } = orderer;
    if (refusal === 'silent') return;
    const block = orderer.blocks[askedFor(envelope, orderer.blocks)];
    const message = writeMessage(
      OrdererDeliverResponse,
      block === undefined || refusal !== undefined
        ? { status: refusal ?? NOT_FOUND }
        : { block: readMessage(CommonBlock, blockBytes(block)) },
    );
    respond(framed(message))(stream, body, path);
  };
  const { address, opened, sessions } = await grpcServer(t, answer, tls);
  orderer.address = `${address.host}:${address.port}`;
  return orderer;
}

/** The bytes before a message of gRPC. */
const PREFIX = 5;

function framed(message: Uint8Array): Buffer {
  const prefix = Buffer.alloc(PREFIX);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}
