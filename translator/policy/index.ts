// What other directories import.

export type { Principal } from '../msp/principal.js';
export { readPrincipal, writePrincipal } from './principal-bytes.js';
export type { Signer } from './signer.js';
export {
  readSignaturePolicy,
  writeSignaturePolicy,
  type PolicyIdentity,
  type Rule,
  type SignaturePolicy,
} from './signature-policy.js';
export { parseSignaturePolicy } from './parse.js';
export { isExpressible, printSignaturePolicy } from './print.js';
export {
  parseImplicitMeta,
  printImplicitMeta,
  readImplicitMeta,
  writeImplicitMeta,
  type ImplicitMetaPolicy,
} from './implicit-meta.js';
export {
  createPolicies,
  findPolicy,
  type Policies,
  type PolicyNode,
  type PolicyProblem,
} from './policies.js';
export { SignerList } from './evaluate.js';
export { Evaluation } from './evaluation.js';
export { judge, resolvePolicy, type ChangedElement, type Judgement, type Resolution } from './judge.js';
export { isSatisfiable, needOf, type CanSatisfy, type Need } from './search/need.js';
export type { Member, MemberSet } from './search/member-sets.js';
export { minimalSignerSets, oneSignerSet } from './search/sets.js';
export { findMissing, type Missing, type MissingOfPolicy } from './search/missing.js';
export { findOrder, type FoundOrder } from './search/order.js';
