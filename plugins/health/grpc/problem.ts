// Reads the response to `grpc.health.v1.Health/Check`.

import { describeStatus, onOneLine, quote } from '../../../core/kit/index.js';
import type { CallResponse } from './call.js';
import { decodeStatus } from './message.js';

/** The names of the gRPC status codes, from 0. */
const CODES = [
  'OK',
  'CANCELLED',
  'UNKNOWN',
  'INVALID_ARGUMENT',
  'DEADLINE_EXCEEDED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'ABORTED',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
  'UNAUTHENTICATED',
];
/** The statuses in a `HealthCheckResponse`, from 0. */
const STATUSES = ['UNKNOWN', 'SERVING', 'NOT_SERVING', 'SERVICE_UNKNOWN'];
/** A server that sends one of these does not implement the health service, or has no status of the whole server. It is reachable. */
const REACHABLE = new Set(['NOT_FOUND', 'UNIMPLEMENTED']);

/**
 * Returns why a server is not healthy; undefined: it is healthy.
 *
 * @param service the service in the request; empty: the server
 */
export function problemIn(response: CallResponse, service: string): string | undefined {
  const { status, contentType, grpcStatus, grpcMessage, body } = response;
  if (status === 0) return 'the connection was closed without a response';
  if (!/^application\/grpc(?:$|[+;])/i.test(contentType)) {
    if (status !== 200) return describeStatus(status, body.toString(), 'message');
    return `the response is not gRPC: its content type is ${quote(onOneLine(contentType)) || 'empty'}`;
  }
  if (grpcStatus === '')
    return status === 200 ? 'the response has no gRPC status' : describeStatus(status, '', 'message');
  const code = CODES[Number(grpcStatus)] ?? quote(onOneLine(grpcStatus));
  if (service === '' && REACHABLE.has(code)) return undefined;
  if (code === 'OK') return servingProblem(decodeStatus(body));
  const message = quote(onOneLine(decoded(grpcMessage)));
  return message === '' ? `gRPC status ${code}` : `gRPC status ${code}: ${message}`;
}

function servingProblem(status: number | undefined): string | undefined {
  if (status === undefined) return 'the response is not a HealthCheckResponse';
  const name = STATUSES[status] ?? String(status);
  return name === 'SERVING' ? undefined : `the status is ${name}`;
}

/** A message that is not valid percent-encoding is shown as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
