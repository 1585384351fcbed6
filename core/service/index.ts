// What both programs share. The command line of the translator takes the files that it needs one by one: every command would wait for
// node:http otherwise, which some of these load.

export { readBuildInfo, type BuildInfo } from './build-info.js';
export { createClientErrorListener, type ParseError, type RefusalReply } from './client-errors.js';
export { createConnectListener } from './connect.js';
export { Connections } from './connections.js';
export { readAll, writeAll } from './descriptor.js';
export { hasTwoHosts } from './host-headers.js';
export { closeLate } from './linger.js';
export { BROKEN_ESCAPE, readTarget, unescapeBytes, writeTarget, type Target } from './target.js';
