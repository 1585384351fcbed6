// The library `fabric-ops-agent/translator`: its most used functions. The modules `fabric-ops-agent/translator/…` in public/ have all functions
// and types, each for one capability. Browsers get browser.ts.

export { decode, encode, messageNames, type Bounds } from './public/json.js';
export * from './browser.js';
export { Ledger, blockBytes, readMspFolder, readSignerFiles } from './public/node.js';
export { Network } from './public/orderer.js';
