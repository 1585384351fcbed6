// What is answered to requests that node's parser refused.

import { randomUUID } from 'node:crypto';
import { createClientErrorListener, type ParseError, type RefusalReply } from '../service/index.js';

const REQUEST_LINE = /^\S+ \S+ HTTP\/1\.[01]\r?\n/;

/** Answers what node's parser refused, after the answers that are still under way, and closes the connection. */
export const onClientError = createClientErrorListener(({ status, error, isInBody }) =>
  isInBody ? brokenBodyReply(status) : plainReply(isUnknownMethod(error) ? '501 Not Implemented' : status),
);

/** The parser knows the methods of HTTP by name and takes any other for garbage. */
function isUnknownMethod({ code, rawPacket, bytesParsed = 0 }: ParseError): boolean {
  if (code !== 'HPE_INVALID_METHOD' || rawPacket === undefined) return false;
  const start = bytesParsed === 0 ? 0 : rawPacket.lastIndexOf('\n', bytesParsed - 1) + 1;
  return REQUEST_LINE.test(rawPacket.toString('latin1', start));
}

function plainReply(status: string): RefusalReply {
  return reply(status, 'text/plain; charset=utf-8', status);
}

function brokenBodyReply(status: string): RefusalReply {
  return reply(status, 'application/json', '{"error":"the request body is malformed or cut off"}\n');
}

function reply(status: string, type: string, body: string): RefusalReply {
  return { status, headers: { 'Content-Type': type, 'X-Request-Id': randomUUID() }, body };
}
