// The CPU time that a call on a large channel takes in one turn of the event loop. Runs as a separate process, `node review-stalls.js CALL BLOCK UPDATE`, because
// the first run of code is the slowest, and prints the longest turn in milliseconds.

import { readFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { creatorOf, readConfigFile, readUpdateFile } from '../../translator/channel/index.js';
import { explainIdentities, readIdentities } from '../../translator/identity/index.js';
import { powersOf } from '../../translator/powers/index.js';
import { review } from '../../translator/review/index.js';
import { watchTurns } from './stalls.js';

const now = new Date();
const [name = '', ...files] = process.argv.slice(2);
const [block, update] = files.map((file) => readFileSync(file));
const base = readConfigFile(block!);
const file = readUpdateFile(update!);
const signers = file.signatures.flatMap(({ header }) => readIdentities(creatorOf(header)));

const CALLS = new Map<string, () => Promise<unknown>>([
  ['review', () => review(file, base, { now })],
  ['powersOf', () => powersOf(base, file)],
  ['explainIdentities', () => explainIdentities(signers, base, { now })],
]);

const longest = watchTurns();
await turn();
await CALLS.get(name)!();
// The last step is in this turn.
await turn();
console.log(longest());
