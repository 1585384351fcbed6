// The unary call of `grpc.health.v1.Health/Check`.

import { constants, type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2';
import { ByteCollector } from '../../../core/kit/index.js';
import { encodeRequest, MAX_FRAME } from './message.js';

/** The name of the method, for messages. */
export const METHOD = 'grpc.health.v1.Health/Check';
/** The longest time limit that `grpc-timeout` can express in milliseconds: eight digits. */
const MAX_TIMEOUT = 99_999_999;

/** A complete response, of a gRPC server or of any other server. */
export interface CallResponse {
  /** The HTTP status; 0: there was no response. */
  readonly status: number;
  readonly contentType: string;
  /** The number in `grpc-status`; empty when there is none. */
  readonly grpcStatus: string;
  /** As sent, percent-encoded. */
  readonly grpcMessage: string;
  readonly body: Buffer;
}

/**
 * Calls the method.
 *
 * @param timeout for the server, in milliseconds
 * @throws Error when the stream fails, or the response is too large
 */
export function callCheck(
  session: ClientHttp2Session,
  service: string,
  timeout: number,
): Promise<CallResponse> {
  return new Promise((resolve, reject) => {
    const stream = session.request({
      ':method': 'POST',
      ':path': `/${METHOD}`,
      'content-type': 'application/grpc',
      te: 'trailers',
      'grpc-timeout': `${Math.min(Math.ceil(timeout), MAX_TIMEOUT)}m`,
    });
    let headers: IncomingHttpHeaders & { readonly ':status'?: number | undefined } = {};
    let trailers: IncomingHttpHeaders = {};
    const body = new ByteCollector(MAX_FRAME);
    stream.on('response', (received) => (headers = received));
    stream.on('trailers', (received) => (trailers = received));
    stream.on('data', (chunk: Buffer) => {
      if (body.add(chunk)) return;
      reject(new Error(`the response is larger than ${MAX_FRAME} bytes`));
      stream.close(constants.NGHTTP2_CANCEL);
    });
    stream.on('error', reject);
    stream.on('close', () => {
      // A server that sends no message has the status in the headers.
      const last = trailers['grpc-status'] === undefined ? headers : trailers;
      resolve({
        status: headers[':status'] ?? 0,
        contentType: headers['content-type'] ?? '',
        grpcStatus: textOf(last['grpc-status']),
        grpcMessage: textOf(last['grpc-message']),
        body: body.bytes(),
      });
    });
    stream.end(encodeRequest(service));
  });
}

const textOf = (value: string | readonly string[] | undefined): string => String(value ?? '');
