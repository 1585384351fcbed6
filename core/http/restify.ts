// restify, without what it does to the rest of the process: it replaces `writeHead` of every ServerResponse by one that returns
// nothing. Plugins and embedding programs run servers of their own, so node's is put back.

import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Server, ServerOptions } from 'restify';
// The package as a whole would load its plugins, too, none of which is used: half of the time and the memory that it takes.
import RouterOfRestify from 'restify/lib/router.js';
import ServerOfRestify from 'restify/lib/server.js';

const prototype = ServerResponse.prototype as ServerResponse & { _writeHead?: ServerResponse['writeHead'] };
if (prototype._writeHead !== undefined) prototype.writeHead = prototype._writeHead;

/** A server of restify with the method that its types leave out. */
export interface RestifyServer extends Server {
  /** Adds a handler that runs before everything else of restify; false means that it has answered. */
  first(handler: (request: IncomingMessage, response: ServerResponse) => boolean): void;
}

/** Makes a server as `createServer` of restify does. */
export function createRestify(options: ServerOptions): RestifyServer {
  return new ServerOfRestify({ ...options, router: new RouterOfRestify(options) }) as RestifyServer;
}
