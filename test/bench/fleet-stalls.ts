// Loaded into the agent of the fleet before its program: responds to each message with the longest stall since the one before.

import { watchStalls } from './stalls.js';

/** Milliseconds. */
const INTERVAL = 5;

let stalls = watchStalls(INTERVAL);
process.on('message', () => {
  process.send?.(stalls());
  stalls = watchStalls(INTERVAL);
});
// The agent ends although its parent could send more.
process.channel?.unref();
