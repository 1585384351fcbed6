// The part of the library that works in browsers too: everything except the conversion of messages to JSON and back.

export { ERRORS, TranslateError, type TranslateErrorCode } from '../proto/errors.js';
export * from './channel/index.js';
export * from './msp/index.js';
export * from './policy/index.js';
export * from './describe/index.js';
export * from './edit/index.js';
export * from './identity/index.js';
export * from './log.js';
export * from './migrate/index.js';
export * from './review/index.js';
export * from './show.js';
export * from './sign/index.js';
export { computeUpdate } from './update/index.js';
