// What other directories import: computing the config update that changes one channel config into another, and comparing configs.

export { compareGroups } from './compare.js';
export { computeUpdate } from './compute.js';
export { samePolicyEntry, sameValue } from './equal.js';
