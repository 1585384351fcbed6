// What other directories import: the history of a channel and the difference of two configs, in Node.js and in browsers.

export { describeDifference, type ElementDifference } from './difference.js';
export { configBlocksIn, LEDGER_FILE } from './ledger-file.js';
export { logEntry, type LogEntry } from './entry.js';
export { differenceText, logText, type LogStyle } from './text.js';
