// What both programs share.

export { readBuildInfo, type BuildInfo } from './build-info.js';
export { createClientErrorListener, type ParseError, type RefusalReply } from './client-errors.js';
export { answerOn, Connections } from './connections.js';
export { readAll, writeAll } from './descriptor.js';
export { hasTwoHosts } from './hosts.js';
export { closeLate, lingerOn } from './leaving.js';
export { onOneLine } from './one-line.js';
export { BROKEN_ESCAPE, readTarget, unescapeBytes, writeTarget, type Target } from './target.js';
