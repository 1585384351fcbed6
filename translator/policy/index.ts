// The public parts of this directory.

export type { Principal } from '../msp/index.js';
export { ROLES, mspidOf, writePrincipal } from './principal-bytes.js';
export type { Signer } from './signer.js';
export {
  type PolicyIdentity,
  type SignatureRule,
  type SignaturePolicy,
  readSignaturePolicy,
  writeSignaturePolicy,
} from './signature-policy.js';
export { isNameable, parseSignaturePolicy } from './parse.js';
export { isExpressible, printSignaturePolicy } from './print.js';
export {
  type ImplicitMetaPolicy,
  META_RULES,
  parseImplicitMeta,
  printImplicitMeta,
  readImplicitMeta,
  writeImplicitMeta,
} from './implicit-meta.js';
export {
  type MetaNode,
  POLICY_TYPE,
  type Policies,
  type PolicyGroup,
  type PolicyNode,
  type PolicyProblem,
  type SignatureNode,
  createPolicies,
  findPolicy,
  policiesBelow,
  policiesInSteps,
  policyAt,
} from './policies.js';
export { SignerList, evaluateSignaturePolicy } from './evaluate.js';
export { Evaluation } from './evaluation.js';
export {
  type ChangedElement,
  type Judgement,
  type Resolution,
  judge,
  judgeInSteps,
  policiesOf,
  resolvePolicy,
} from './judge.js';
export { type PrincipalOfMsp, everyPart, namedMsps, principalsOf } from './principals.js';
export { type CanSatisfy, type Need, isSatisfiable, needOf } from './search/need.js';
export type { Member, MemberSet } from './search/member-sets.js';
export { minimalSignerSets, oneSignerSet } from './search/sets.js';
export {
  type Missing,
  type MissingOfPolicy,
  findMissing,
  findMissingInSteps,
  remainingNeed,
} from './search/missing.js';
export { findOrder } from './search/order.js';
export { type NameIdentity, describePrincipal, mspName } from './principal-text.js';
export { unknownPolicyContent } from './unknown-content.js';
