export { CAUSE_IDS, WARNING_IDS, type Cause, type CauseId } from './cause.js';
export { preflight, type PreflightOptions, type PreflightResult } from './preflight.js';
export { confirm, identifyProgram, type Confirmation } from './program.js';
