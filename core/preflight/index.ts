export type { Cause } from './cause.js';
export { preflight, type PreflightOptions, type PreflightResult } from './preflight.js';
export { confirm, identifyProgram, type Confirmation } from './program.js';
