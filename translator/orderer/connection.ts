// Calls an orderer over gRPC: AtomicBroadcast.Deliver and Broadcast. Also makes the signed request for a block, and explains failed calls.
// Responses are bounded, and every call has a deadline.

import { is, requireTypes } from '../../proto/arguments.js';
import { NO_BYTES } from '../../proto/bytes.js';
import { isIP } from 'node:net';
import { checkServerIdentity } from 'node:tls';
import type { Client, ServiceError } from '@grpc/grpc-js';
import { onAbort } from '../../core/common/flow/on-abort.js';
import { certificateBlocks } from '../../core/common/certificates/pem.js';
import {
  checkKeyPair,
  parseCertificates,
  parsePrivateKey,
} from '../../core/common/certificates/tls-files.js';
import { describeSystemError } from '../../core/common/text/system-error.js';
import { withoutCertificates } from '../../core/common/text/without-certificates.js';
import { TranslateError, attempt } from '../../proto/errors.js';
import {
  CommonChannelHeader,
  CommonEnvelope,
  CommonPayload,
  OrdererBroadcastResponse,
  OrdererDeliverResponse,
  OrdererSeekInfo,
} from '../../proto/messages.js';
import { readMessage, writeMessage } from '../../proto/typed.js';
import type { Position } from '../ledger/index.js';
import { headerOf, signatureOf, type SigningIdentity } from '../sign/index.js';

/** Reasons for a failure of TLS that other settings of the caller may fix. */
export type TlsFault = 'other-ca' | 'other-name' | 'no-tls' | 'needs-tls';

const TLS_FAULTS: Readonly<Record<TlsFault, string>> = {
  'other-ca': 'its TLS certificate is not issued by a trusted CA',
  'other-name': 'its TLS certificate is for another name',
  'no-tls': 'it does not use TLS',
  'needs-tls': 'it closed the connection, probably because it uses TLS',
};

/** The connection settings of an orderer. */
export interface OrdererOptions {
  /** `host:port` */
  readonly address: string;
  /** The CAs of its TLS certificate, in PEM; undefined means no TLS. */
  readonly cas: Uint8Array | undefined;
  /** The host name in its certificate, if it differs from the address. */
  readonly serverName?: string | undefined;
  /** The client certificate and its key, in PEM. */
  readonly client?: { readonly certificate: Uint8Array; readonly key: Uint8Array } | undefined;
  /** The time limit of a call, in milliseconds. */
  readonly timeout: number;
  /** What to do about a fault, in terms of the caller's settings; it follows the fault in the message. @default nothing */
  readonly advice?: Readonly<Partial<Record<TlsFault, string>>>;
}

/** The response to a broadcast. */
export interface BroadcastResponse {
  /** `common.Status`: 200 for success. */
  readonly status: number;
  /** The text of the orderer, without certificates. */
  readonly info: string;
}

/**
 * What a failed request shows about an orderer. `alive`: it runs, and refuses the request. `unavailable`: it runs, but does not serve the
 * channel now, for example because Raft has no leader. `no-channel`: it runs without the channel. `silent`: it refuses connections, or does
 * not respond in time. `unresolved`: its host name has no address. `unknown`: nothing, for example if its TLS certificate is not trusted.
 */
export type OrdererSign = 'alive' | 'unavailable' | 'no-channel' | 'silent' | 'unresolved' | 'unknown';

/** A request that failed. */
export interface FailedRequest {
  readonly sign: OrdererSign;
  /** Whether the orderer responded with a status. */
  readonly isRefused: boolean;
  /** The status of the response (`common.Status`); undefined: there was none. */
  readonly status?: number | undefined;
  /** Whether there was a connection, so that the orderer may have received the request. */
  readonly isSent: boolean;
  readonly reason: string;
}

/** A connection to an orderer. Its errors do not contain the address. */
export interface Orderer {
  readonly address: string;
  /**
   * Sends a request for one block; returns the serialized `common.Block`.
   *
   * @param signal ends the call early
   * @throws TranslateError UNREACHABLE or REFUSED
   */
  deliver(envelope: Uint8Array, signal?: AbortSignal): Promise<Uint8Array>;
  /**
   * Submits an envelope.
   *
   * @throws TranslateError UNREACHABLE if it was not sent; NOT_SEEN if it was sent without a response, so that it may have been accepted
   */
  broadcast(envelope: Uint8Array): Promise<BroadcastResponse>;
  /** Closes the connection and ends current calls. */
  close(): void;
}

/** The result of {@link openOrderer}. */
export interface OpenedOrderer extends Orderer {
  /** Like `deliver`, but a failed request is a result. */
  request(envelope: Uint8Array, signal?: AbortSignal): Promise<Uint8Array | FailedRequest>;
}

/** The maximum size of Fabric's messages, in bytes. */
const MAX_MESSAGE = 100 * 1024 * 1024;
/** The TLS server name for addresses without a name: TLS allows no IP addresses as server names, and Node.js warns about them. */
const NO_NAME = 'orderer';
const SERVICE = '/orderer.AtomicBroadcast';

/** The IP address of `host:port`; undefined for a name. */
function ipOf(address: string): string | undefined {
  const host = address.slice(0, address.lastIndexOf(':')).replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? undefined : host;
}

const CLIENT = is.optional(is.record({ certificate: is.bytes, key: is.bytes }));
const OPTIONS = is.record({
  address: is.text,
  cas: is.optional(is.bytes),
  serverName: is.optional(is.text),
  client: CLIENT,
  timeout: is.number(0),
});

/** Creates a client, which connects at the first call. @throws TranslateError BAD_KEY if certificates or keys cannot be used */
export async function openOrderer(options: OrdererOptions): Promise<OpenedOrderer> {
  requireTypes({ options }, { options: OPTIONS });
  const { Client, credentials } = await import('@grpc/grpc-js');
  const { address, cas, serverName, client: own, timeout, advice = {} } = options;
  checkTls(options);
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
      // Statistics and traces of all calls, which are never read.
      'grpc.enable_channelz': 0,
      ...(serverName !== undefined && {
        'grpc.ssl_target_name_override': serverName,
        'grpc.default_authority': serverName,
      }),
      ...(ip !== undefined && { 'grpc.ssl_target_name_override': NO_NAME }),
    },
  );
  const running = new Set<() => void>();
  const send = (method: string, envelope: Uint8Array, signal?: AbortSignal) =>
    firstResponse(channel, `${SERVICE}/${method}`, envelope, {
      timeout,
      advice,
      isTls: cas !== undefined,
      signal,
      running,
    });
  const request: OpenedOrderer['request'] = async (envelope, signal) => {
    const response = await send('Deliver', envelope, signal);
    if (!(response instanceof Uint8Array)) return response;
    const { block, status = 0 } = readMessage(OrdererDeliverResponse, response, ['block']);
    const sign = STATUS_SIGNS.get(status) ?? 'alive';
    return block ?? { sign, isRefused: true, status, isSent: true, reason: statusText(status) };
  };
  return {
    address,
    request,
    async deliver(envelope, signal) {
      const found = await request(envelope, signal);
      if (found instanceof Uint8Array) return found;
      throw new TranslateError(found.isRefused ? 'REFUSED' : 'UNREACHABLE', found.reason);
    },
    async broadcast(envelope) {
      const response = await send('Broadcast', envelope);
      if (!(response instanceof Uint8Array))
        throw new TranslateError(response.isSent ? 'NOT_SEEN' : 'UNREACHABLE', response.reason);
      return attempt(
        () => {
          const { status, info } = readMessage(OrdererBroadcastResponse, response);
          return { status, info: withoutCertificates(info) };
        },
        ({ message }): never => {
          throw new TranslateError('NOT_SEEN', `its response cannot be read: ${message}`);
        },
      );
    },
    close: () => {
      for (const cancel of running) cancel();
      channel.close();
    },
  };
}

/** Checks what gRPC would report with a number of OpenSSL, or with the first call. @throws TranslateError BAD_KEY */
function checkTls({ cas, client }: Pick<OrdererOptions, 'cas' | 'client'>): void {
  if (cas === undefined) return;
  const textOf = (pem: Uint8Array): string => new TextDecoder('latin1').decode(pem);
  if (certificateBlocks(textOf(cas)).length === 0)
    throw new TranslateError('BAD_KEY', 'the CAs contain no PEM certificate');
  if (client === undefined) return;
  const names = { certificate: 'the client certificate', key: 'the client key' };
  try {
    const certificate = parseCertificates(textOf(client.certificate), names.certificate);
    checkKeyPair(certificate, parsePrivateKey(textOf(client.key), names.key), names);
  } catch (error) {
    throw new TranslateError('BAD_KEY', (error as Error).message);
  }
}

/** Settings that texts of failed calls contain. */
type FailureWords = Required<Pick<OrdererOptions, 'timeout' | 'advice'>> & { readonly isTls: boolean };

interface CallEnds {
  readonly signal: AbortSignal | undefined;
  /** The functions that cancel the current calls of the connection. */
  readonly running: Set<() => void>;
}

/**
 * Sends one message and returns the first response; the rest of the stream is cancelled. The message is written only after the connection
 * is established, so a request that failed before is known not to have been sent.
 */
function firstResponse(
  client: Client,
  path: string,
  message: Uint8Array,
  { timeout, advice, isTls, signal, running }: FailureWords & CallEnds,
): Promise<Uint8Array | FailedRequest> {
  const connection = client.getChannel();
  const stateNow = (): number => connection.getConnectivityState(false);
  if (stateNow() === SHUT_DOWN)
    return Promise.resolve({
      sign: 'unknown',
      isRefused: false,
      isSent: false,
      reason: 'the connection was closed',
    });
  return new Promise((resolve) => {
    const deadline = Date.now() + timeout;
    let isSent = false;
    let isSettled = false;
    const settle = (result: Uint8Array | Omit<FailedRequest, 'isSent'>): void => {
      isSettled = true;
      resolve(result instanceof Uint8Array ? result : { ...result, isSent });
    };
    const stream = client.makeBidiStreamRequest<Uint8Array, Uint8Array>(
      path,
      (bytes) => Buffer.from(bytes),
      (bytes) => new Uint8Array(bytes),
      { deadline },
    );
    const cancel = (): void => stream.cancel();
    stream.on('data', (response: Uint8Array) => {
      settle(response);
      cancel();
    });
    running.add(cancel);
    stream.on('close', () => {
      running.delete(cancel);
      stopListening?.();
    });
    // After the response, this is the error of the cancellation and has no effect.
    stream.on('error', (error: ServiceError) => settle(failureOfCall(error, { timeout, advice, isTls })));
    stream.on('end', () =>
      settle({ sign: 'alive', isRefused: false, reason: 'it ended the stream without a response' }),
    );
    // Without a connection the stream itself fails, with the reason.
    const sendOnceReady = (error?: Error): void => {
      const state = stateNow();
      if (error !== undefined || isSettled || state === SHUT_DOWN) return;
      if (state !== READY) {
        connection.watchConnectivityState(connection.getConnectivityState(false), deadline, sendOnceReady);
        return;
      }
      isSent = true;
      stream.write(message);
      stream.end();
    };
    sendOnceReady();
    const stopListening = signal && onAbort(signal, cancel);
  });
}

/** Descriptions of Fabric's statuses (`common.Status`). */
const STATUSES: ReadonlyMap<number, string> = new Map([
  [400, 'bad request'],
  [403, 'forbidden: the identity is not valid for the channel, or may not read it'],
  [404, 'the channel or the block does not exist there'],
  [500, 'internal error'],
  [503, 'unavailable: it does not serve the channel now'],
]);

/** What statuses show about the orderer (common/deliver/deliver.go, `deliverBlocks`); all others mean `alive`. */
const STATUS_SIGNS: ReadonlyMap<number, OrdererSign> = new Map([
  [404, 'no-channel'],
  [503, 'unavailable'],
]);

const statusText = (status: number): string => `${STATUSES.get(status) ?? 'unknown status'} (${status})`;

/** A request for a block. */
export interface SeekRequest {
  readonly channel: string;
  readonly position: Position;
  /** Whether the response may omit the data of a block that is not a config block; orderers before v3.0 send them. @default false */
  readonly headerOnly?: boolean;
  readonly signer: SigningIdentity;
  /** SHA-256 of the client certificate in DER, which an orderer with mutual TLS compares; undefined without a certificate. */
  readonly clientCertificateHash: Uint8Array | undefined;
  readonly now: Date;
}

/** The header type of a request for blocks. */
const DELIVER_SEEK_INFO = 5;
const FAIL_IF_NOT_READY = 1;
/** `SeekContentType`. */
const HEADER_WITH_SIG = 1;

/** A serialized `common.Envelope` that requests one block; a block that does not exist yet is an error. */
export async function seekEnvelope(request: SeekRequest): Promise<Uint8Array> {
  const { channel, position, signer, clientCertificateHash, headerOnly = false, now } = request;
  const seconds = BigInt(Math.floor(now.getTime() / 1000));
  const channelHeader = writeMessage(CommonChannelHeader, {
    type: DELIVER_SEEK_INFO,
    channelId: channel,
    timestamp: { seconds },
    tlsCertHash: clientCertificateHash,
  });
  const signatureHeader = headerOf(signer);
  const at = positionOf(position);
  const data = writeMessage(OrdererSeekInfo, {
    start: at,
    stop: at,
    behavior: FAIL_IF_NOT_READY,
    ...(headerOnly && { contentType: HEADER_WITH_SIG }),
  });
  const payload = writeMessage(CommonPayload, { header: { channelHeader, signatureHeader }, data });
  return writeMessage(CommonEnvelope, { payload, signature: await signatureOf(signer, payload) });
}

function positionOf(position: Position): object {
  if (position === 'newest') return { newest: NO_BYTES };
  if (position === 'oldest') return { oldest: NO_BYTES };
  return { specified: { number: position } };
}

/** Members of `ConnectivityState`, copied so that the package is loaded only when it is needed. */
const READY = 2;
const SHUT_DOWN = 4;

/** Members of `Status`, copied for the same reason. */
const CANCELLED = 1;
const DEADLINE_EXCEEDED = 4;
const UNAVAILABLE = 14;
const SYSTEM_ERROR = /\b(E[A-Z]{3,})\b/;

interface FailedCall {
  /** A `Status`. */
  readonly code: number;
  readonly details: string;
  readonly message: string;
}

/** Error texts of Node.js and gRPC, and their meanings. */
const TEXTS: readonly (readonly [RegExp, string, OrdererSign])[] = [
  [
    /certificate required|bad certificate|handshake failure|alert unknown ca/i,
    'it requires a client certificate that it trusts',
    'alive',
  ],
  [/certificate has expired/, 'its TLS certificate has expired', 'unknown'],
  [/certificate is not yet valid/, 'its TLS certificate is not yet valid', 'unknown'],
  [/Name resolution failed/, 'its host name cannot be resolved', 'unresolved'],
];

/** Error texts for TLS faults. */
const FAULTS: readonly (readonly [RegExp, TlsFault])[] = [
  [/unable to (?:verify|get)|self.signed certificate|unknown ca/i, 'other-ca'],
  [/does not match certificate's altnames/, 'other-name'],
  [/wrong version number|packet length too long/i, 'no-tls'],
];

function failureOfCall(
  { code, details, message }: FailedCall,
  { timeout, advice, isTls }: FailureWords,
): Omit<FailedRequest, 'isSent'> {
  const failed = (sign: OrdererSign, reason: string): Omit<FailedRequest, 'isSent'> => ({
    sign,
    isRefused: false,
    reason,
  });
  const text = withoutCertificates(details === '' ? message : details);
  if (code === DEADLINE_EXCEEDED) return failed('silent', `no response within ${timeout / 1000} s`);
  const [, known, sign = 'unknown'] = TEXTS.find(([pattern]) => pattern.test(text)) ?? [];
  if (known !== undefined) return failed(sign, known);
  const fault = FAULTS.find(([pattern]) => pattern.test(text))?.[1];
  if (fault !== undefined) return failed('unknown', faultText(fault, advice));
  // Any other code is a response.
  const ofCode = code === UNAVAILABLE ? 'silent' : code === CANCELLED ? 'unknown' : 'alive';
  const system = SYSTEM_ERROR.exec(text)?.[1];
  if (system !== undefined) return failed(ofCode, describeSystemError({ code: system, message: text }));
  // A TLS server closes a connection without TLS, and Node.js gives no reason.
  if (!text.startsWith('No connection established')) return failed(ofCode, text);
  return failed('unknown', isTls ? text : faultText('needs-tls', advice));
}

const faultText = (fault: TlsFault, { [fault]: advice }: NonNullable<OrdererOptions['advice']>): string =>
  advice === undefined ? TLS_FAULTS[fault] : `${TLS_FAULTS[fault]}; ${advice}`;
