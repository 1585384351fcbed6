// restify, without what it does to the rest of the process: it replaces `writeHead` of every ServerResponse by one that returns
// nothing. Plugins and embedding programs run servers of their own, so node's is put back.

import { ServerResponse, type IncomingMessage } from 'node:http';
import restify, { type Server } from 'restify';

const prototype = ServerResponse.prototype as ServerResponse & { _writeHead?: ServerResponse['writeHead'] };
if (prototype._writeHead !== undefined) prototype.writeHead = prototype._writeHead;

/** A server of restify with the method that its types leave out. */
export interface RestifyServer extends Server {
  /** Adds a handler that runs before everything else of restify; false means that it has answered. */
  first(handler: (request: IncomingMessage, response: ServerResponse) => boolean): void;
}

export { restify };
