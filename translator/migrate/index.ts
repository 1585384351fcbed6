// The public parts of this directory: the migration of a channel from Raft to BFT, in Node.js and in browsers.

export { planBft, STEPS, type PlannedStep, type Step } from './bft.js';
export { migrationDocument } from './document.js';
export type { ConsenterIdentity } from './identities.js';
export { migrationStatus, type MigrationStatus, type Phase } from './status.js';
