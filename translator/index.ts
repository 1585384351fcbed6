// The library: the operations of `configtxlator`, without a process or a server. Browsers get browser.ts.

export { decode, encode, messageNames, type Bounds } from '../proto/index.js';
export * from './browser.js';
export * from './ledger/index.js';
export * from './orderer/index.js';
