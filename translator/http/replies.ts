// Answers as values, and the error that carries one.

import { onOneLine } from '../../core/text/one-line.js';

/** An answer that is not sent yet. */
export interface Reply {
  readonly status: number;
  /** The words after the status, where they are not the usual ones. */
  readonly reason?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** A request that cannot be read to its end, with the status that says so. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const TEXT = { 'Content-Type': 'text/plain' };
const CLOSE = { Connection: 'close' };

/** An answer in words: one line. */
export function textReply(status: number, text: string): Reply {
  return { status, headers: TEXT, body: `${onOneLine(text)}\n` };
}

/** Successful answer of one JSON document. */
export function jsonReply(body: string): Reply {
  return { status: 200, headers: { 'Content-Type': 'application/json' }, body };
}

/** Successful answer of a serialized message. */
export function bytesReply(body: Uint8Array): Reply {
  return { status: 200, headers: { 'Content-Type': 'application/octet-stream' }, body };
}

/** The answer to a request that did not arrive whole; what is left of it is not worth waiting for. */
export function requestErrorReply({ status, message }: RequestError): Reply {
  return { ...textReply(status, message), headers: { ...TEXT, ...CLOSE } };
}

/** A request without a path that could be read, or without a host; worded as Go's server does. */
export function badRequestReply(what?: string): Reply {
  const reason = what === undefined ? 'Bad Request' : `Bad Request: ${what}`;
  return { status: 400, reason, headers: { ...TEXT, ...CLOSE }, body: `400 ${reason}` };
}

/** A request in a version of HTTP that the parser reads, but that is not HTTP/1. */
export const VERSION_NOT_SUPPORTED: Reply = {
  status: 505,
  headers: { ...TEXT, ...CLOSE },
  body: '505 HTTP Version Not Supported',
};

/** A path that nothing is at. */
export const NOT_FOUND: Reply = {
  status: 404,
  headers: { ...TEXT, 'X-Content-Type-Options': 'nosniff' },
  body: '404 page not found\n',
};

/** A path to be asked for in another form. */
export function movedReply(location: string): Reply {
  return { status: 301, headers: { Location: location } };
}
