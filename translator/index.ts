// The library `fabric-ops-agent/translator`: the functions of the commands, without a process or a server. The modules
// `fabric-ops-agent/translator/…` export the others. Browsers get browser.ts.

export { decode, encode, messageNames, type Bounds } from '../proto/index.js';
export * from './browser.js';
export { blockBytes, Ledger } from './ledger/index.js';
export { readMspFolder, readSignerFiles, type SignerFiles } from './msp-folder.js';
export { Network, openOrderer, trustedBlock, submit, Waiting, type Submitted } from './orderer/index.js';
