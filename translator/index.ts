// The library face of the translator: the operations behind `configtxlator`, for use without a process or a server.

export { decode, encode, messageNames, TranslateError, type TranslateErrorCode } from '../proto/index.js';
export { computeUpdate } from './update/index.js';
