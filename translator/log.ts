// `fabric-ops-agent/translator/log`: the history of a channel and the difference of two configs, in Node.js and in browsers.

export {
  changeTexts,
  describeDifference,
  differenceText,
  logEntry,
  logText,
  signerText,
  type ElementDifference,
  type LogEntry,
  type LogStyle,
} from './describe/index.js';
export { configBlocksIn, LEDGER_FILE } from './ledger/block-file.js';
