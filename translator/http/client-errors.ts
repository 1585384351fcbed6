// What is answered to requests that node's parser refused.

import { createClientErrorListener } from '../../core/service/index.js';

/** Answers what node's parser refused, after the answers that are still under way, and closes the connection. */
export const onClientError = createClientErrorListener(({ status, error }) => ({
  status,
  headers: { 'Content-Type': 'text/plain' },
  body: `${error.code === 'HPE_INVALID_EOF_STATE' ? 'unexpected EOF' : status}\n`,
}));
