// Calls of one orderer: AtomicBroadcast.Deliver and Broadcast over gRPC. Responses are bounded, and every call has a deadline.

import { isIP } from 'node:net';
import { checkServerIdentity } from 'node:tls';
import type { Client, ServiceError } from '#grpc';
import { TranslateError } from '../../proto/errors.js';
import { readMessage } from '../../proto/typed.js';
import { OrdererBroadcastResponse, OrdererDeliverResponse } from '../../proto/messages.js';
import { reasonOfCall } from './reason.js';

/** How an orderer is reached. */
export interface OrdererOptions {
  /** `host:port` */
  readonly address: string;
  /** CAs of its TLS certificate, in PEM; undefined: no TLS. */
  readonly cas: Uint8Array | undefined;
  /** The host name in its certificate, if it is not that of the address. */
  readonly serverName?: string | undefined;
  /** The client certificate and its key, in PEM. */
  readonly client?: { readonly certificate: Uint8Array; readonly key: Uint8Array } | undefined;
  /** Time limit of a call, in milliseconds. */
  readonly timeout: number;
}

/** The response to a broadcast. */
export interface BroadcastResponse {
  /** `common.Status`: 200 for success. */
  readonly status: number;
  readonly info: string;
}

/** An orderer that is called. */
export interface Orderer {
  readonly address: string;
  /**
   * Sends a request for one block; returns the serialized `common.Block`.
   *
   * @param signal ends the call early
   * @throws TranslateError UNREACHABLE or REFUSED
   */
  deliver(envelope: Uint8Array, signal?: AbortSignal): Promise<Uint8Array>;
  /** Submits an envelope. @throws TranslateError UNREACHABLE */
  broadcast(envelope: Uint8Array): Promise<BroadcastResponse>;
  close(): void;
}

/** Largest message of Fabric, in bytes. */
const MAX_MESSAGE = 100 * 1024 * 1024;
/** TLS knows no server names that are IP addresses, and Node.js warns of them. */
const NO_NAME = 'orderer';
const SERVICE = '/orderer.AtomicBroadcast';

/** The IP address of `host:port`; undefined for a name. */
function ipOf(address: string): string | undefined {
  const host = address.slice(0, address.lastIndexOf(':')).replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? undefined : host;
}

/** Connects at the first call. @throws TranslateError BAD_KEY if certificates or keys cannot be used */
export async function openOrderer(options: OrdererOptions): Promise<Orderer> {
  const { Client, credentials } = await import('#grpc');
  const { address, cas, serverName, client: own, timeout } = options;
  const ip = serverName === undefined ? ipOf(address) : undefined;
  const channel = new Client(
    address,
    cas === undefined
      ? credentials.createInsecure()
      : credentials.createSsl(
          Buffer.from(cas),
          own === undefined ? null : Buffer.from(own.key),
          own === undefined ? null : Buffer.from(own.certificate),
          ip === undefined
            ? {}
            : { checkServerIdentity: (_name, certificate) => checkServerIdentity(ip, certificate) },
        ),
    {
      'grpc.max_receive_message_length': MAX_MESSAGE,
      'grpc.max_send_message_length': MAX_MESSAGE,
      'grpc.enable_retries': 0,
      ...(serverName !== undefined && {
        'grpc.ssl_target_name_override': serverName,
        'grpc.default_authority': serverName,
      }),
      ...(ip !== undefined && { 'grpc.ssl_target_name_override': NO_NAME }),
    },
  );
  const send = (method: string, envelope: Uint8Array, signal?: AbortSignal): Promise<Uint8Array> =>
    firstResponse(channel, `${SERVICE}/${method}`, envelope, { timeout, address, signal });
  return {
    address,
    async deliver(envelope, signal) {
      const response = await send('Deliver', envelope, signal);
      const { block, status } = readMessage(OrdererDeliverResponse, response, ['block']);
      if (block !== undefined) return block;
      throw new TranslateError('REFUSED', `orderer ${address}: ${statusText(status ?? 0)}`);
    },
    async broadcast(envelope) {
      return readMessage(OrdererBroadcastResponse, await send('Broadcast', envelope));
    },
    close: () => channel.close(),
  };
}

/** Sends one message and returns the first response; the rest of the stream is cancelled. */
function firstResponse(
  client: Client,
  path: string,
  message: Uint8Array,
  {
    timeout,
    address,
    signal,
  }: Pick<OrdererOptions, 'timeout' | 'address'> & { signal: AbortSignal | undefined },
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const stream = client.makeBidiStreamRequest<Uint8Array, Uint8Array>(
      path,
      (bytes) => Buffer.from(bytes),
      (bytes) => new Uint8Array(bytes),
      { deadline: Date.now() + timeout },
    );
    const fail = (reason: string): void =>
      reject(new TranslateError('UNREACHABLE', `orderer ${address}: ${reason}`));
    const cancel = (): void => stream.cancel();
    stream.on('data', (response: Uint8Array) => {
      resolve(response);
      cancel();
    });
    signal?.addEventListener('abort', cancel);
    stream.on('close', () => signal?.removeEventListener('abort', cancel));
    // After the response this is the cancellation, which changes nothing.
    stream.on('error', (error: ServiceError) => fail(reasonOfCall(error, timeout)));
    stream.on('end', () => fail('it ended the stream without a response'));
    stream.write(message);
    stream.end();
  });
}

/** Statuses of Fabric in words (`common.Status`). */
const STATUSES: ReadonlyMap<number, string> = new Map([
  [400, 'bad request'],
  [403, 'forbidden: the identity is not valid for the channel, or may not read it'],
  [404, 'the channel or the block does not exist there'],
  [500, 'internal error'],
  [503, 'unavailable: it does not serve the channel now'],
]);

const statusText = (status: number): string => `${STATUSES.get(status) ?? 'unknown status'} (${status})`;
