// The library `fabric-ops-agent/translator`: the functions of the commands, without a process or a server. The modules
// `fabric-ops-agent/translator/…` in public/ have all functions and types, each for one capability. Browsers get browser.ts.

export { decode, encode, messageNames, type Bounds } from './public/json.js';
export * from './browser.js';
export { Ledger, blockBytes, readMspFolder, readSignerFiles, type SignerFiles } from './public/node.js';
export { Network, openOrderer, trustedBlock, type Submitted } from './public/orderer.js';
