// Exports for other directories: the findings of reviews and checks, and the rules that find them.

export { blockValidationFault } from './bft.js';
export { isTakeover } from './control.js';
export { gatherFacts, type Facts, type ReviewOptions } from './facts/gather.js';
export { checkSize } from './facts/size.js';
export { lackingBlock, type OrdererProgress } from './facts/orderers.js';
export type { Active, Proposal } from './facts/proposal.js';
export {
  checkSignatures,
  nameOf,
  signersByPolicy,
  submitterPolicy,
  type CheckedSignature,
} from './facts/signers.js';
export type { RawFinding, NextStep, Severity } from './rule.js';
export { RULES, canBeAllowed, toFinding, type Finding, type FindingData, type FindingId } from './all.js';
export { findInConfigAlone, findInUpdate, isDecodable } from './run.js';
export { compareVersions, differingRules, type FoundBy } from './versions.js';
