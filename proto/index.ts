// The API for other directories: bytes to JSON text, JSON text to bytes, and the names of the messages.

export { decode } from './to-json.js';
export { encode } from './from-json.js';
export { TranslateError, type TranslateErrorCode } from './errors.js';
export { messageNames } from './registry.js';
export type { Bounds } from './limits.js';
