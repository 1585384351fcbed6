// What both programs share.

export { readBuildInfo, type BuildInfo } from './build-info.js';
export { createClientErrorListener, type ParseError, type RefusalReply } from './client-errors.js';
export { createConnectListener } from './connect.js';
export { Connections } from './connections.js';
export { readAll, writeAll } from './descriptor.js';
export { hasTwoHosts } from './hosts.js';
export { closeLate } from './leaving.js';
export { onOneLine } from './one-line.js';
export { BROKEN_ESCAPE, readTarget, unescapeBytes, writeTarget, type Target } from './target.js';
