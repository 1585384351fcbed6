// What is answered to requests that node's parser refused.

import { createClientErrorListener } from '../../config/service/index.js';

/** Answers what node's parser refused, after the answers that are still under way, and closes the connection. */
export const onClientError = createClientErrorListener(({ status, error }) =>
  rawReply(status, error.code === 'HPE_INVALID_EOF_STATE' ? 'unexpected EOF' : status),
);

function rawReply(status: string, text: string): string {
  const body = `${text}\n`;
  const lines = [
    `HTTP/1.1 ${status}`,
    'Content-Type: text/plain',
    `Date: ${new Date().toUTCString()}`,
    `Content-Length: ${body.length}`,
    'Connection: close',
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}
