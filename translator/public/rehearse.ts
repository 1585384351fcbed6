// `fabric-ops-agent/translator/rehearse`: updates on a copy of their channel with new keys, with real nodes on 127.0.0.1. Node.js only.

export {
  outcomeOf,
  rehearsalDocument,
  rehearse,
  type Loss,
  type Outcome,
  type Rehearsal,
  type RehearsedUpdate,
  type RehearseOptions,
  type UpdateOutcome,
} from '../rehearse/index.js';
