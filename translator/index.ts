// The library: the operations of `configtxlator`, without a process or a server.

export {
  decode,
  encode,
  messageNames,
  TranslateError,
  type Bounds,
  type TranslateErrorCode,
} from '../proto/index.js';
export { computeUpdate } from './update/index.js';
