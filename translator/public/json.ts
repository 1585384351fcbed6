// `fabric-ops-agent/translator/json`: messages of Fabric to JSON and back, in Node.js and in browsers.

export { TranslateError, decode, encode, messageNames, type Bounds } from '../../proto/index.js';
