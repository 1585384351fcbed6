// Code that both programs share. Commands of the translator import its files one by one: this index loads node:http and node:tls.

export { readBuildInfo, type BuildInfo } from './build-info.js';
export { createClientErrorListener, type ParseError, type RefusalReply } from './client-errors.js';
export { createConnectListener } from './connect.js';
export { Connections, endWhenSent } from './connections.js';
export { readAll, writeAll } from './descriptor.js';
export { hasTwoHosts } from './host-headers.js';
export { closeLate } from './linger.js';
export { BROKEN_ESCAPE, readTarget, unescapeBytes, writeTarget, type Target } from './target.js';
export { checkKeyPair, readCertificates, readPrivateKey } from './tls-files.js';
