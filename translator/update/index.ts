// The public parts of this directory: computing the config update between two channel configs, and comparing configs.

export { compareGroups } from './compare.js';
export { computeUpdate } from './compute.js';
export { samePolicyEntry, sameValue } from './equal.js';
