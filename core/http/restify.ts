// restify, without what it does to the rest of the process: it replaces `writeHead` of every ServerResponse by one that returns
// nothing. Plugins and embedding programs run servers of their own, so node's is put back.

import { ServerResponse } from 'node:http';
import restify from 'restify';

const prototype = ServerResponse.prototype as ServerResponse & { _writeHead?: ServerResponse['writeHead'] };
if (prototype._writeHead !== undefined) prototype.writeHead = prototype._writeHead;

export { restify };
