// Code that both programs share. Commands of the translator import its files one by one: this index loads node:http and node:tls.

export { readBuildInfo, type BuildInfo } from './build-info.js';
export { ByteBudget, type Share } from './byte-budget.js';
export { Connections } from './connections.js';
export { readAll, writeAll } from './descriptor.js';
export { hasTwoHosts } from './host-headers.js';
export { haveNamesakes, isVerified, keyProblem } from './namesake-ca.js';
export { limitPipelining } from './pipelining.js';
export { ResponseSender, type Body } from './response-sender.js';
export { checkKeyPair, readCertificates, readPrivateKey, validityProblem } from './tls-files.js';
