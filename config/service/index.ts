// What the services of both programs share.

export { Answers } from './answers.js';
export { readBuildInfo, type BuildInfo } from './build-info.js';
export { createClientErrorListener, type ParseError, type Refusal } from './client-errors.js';
export { closeLate, lingerOn } from './leaving.js';
export { onOneLine } from './one-line.js';
