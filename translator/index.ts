// The library: the operations of `configtxlator`, without a process or a server. Browsers get channel.ts.

export { decode, encode, messageNames, type Bounds } from '../proto/index.js';
export * from './channel.js';
export * from './source/index.js';
