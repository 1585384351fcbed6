// The names for other directories: rehearsals of updates on a copy of their channel, and their results. Node.js only.

export {
  type RehearsedUpdate,
  type RehearseOptions,
  type Rehearsal,
  rehearse,
  type UpdateOutcome,
} from './rehearse.js';
export { EXIT_STATUS_OF, type Outcome, outcomeOf, rehearsalDocument, rehearsalJson } from './report.js';
export type { Loss } from './losses.js';
