// Exports for other directories: reports about an identity on a channel, in Node.js and in browsers.

export { readIdentities, type FoundIdentity } from './read.js';
export { explainIdentities, type ExplainOptions } from './report.js';
