// `fabric-ops-agent/translator/policy`: parses, prints and evaluates policies, and finds who must sign. In Node.js and in browsers.

// The policies of a channel
export {
  createPolicies,
  findPolicy,
  type MetaNode,
  type Policies,
  type PolicyGroup,
  type PolicyNode,
  type PolicyProblem,
  type SignatureNode,
} from '../policy/index.js';

// Texts and bytes of one policy
export {
  META_RULES,
  isExpressible,
  parseImplicitMeta,
  parseSignaturePolicy,
  printImplicitMeta,
  printSignaturePolicy,
  readImplicitMeta,
  readSignaturePolicy,
  writeImplicitMeta,
  writeSignaturePolicy,
  type ImplicitMetaPolicy,
  type PolicyIdentity,
  type Principal,
  type Rule,
  type SignaturePolicy,
} from '../policy/index.js';

// Whether signatures satisfy policies
export {
  Evaluation,
  SignerList,
  judge,
  type ChangedElement,
  type Judgement,
  type Resolution,
  type Signer,
} from '../policy/index.js';

// Who must sign
export {
  findMissing,
  findOrder,
  isSatisfiable,
  minimalSignerSets,
  needOf,
  type CanSatisfy,
  type FoundOrder,
  type Member,
  type MemberSet,
  type Missing,
  type MissingOfPolicy,
  type Need,
} from '../policy/index.js';

// In words
export { describeNeed, describePolicy, describeSet } from '../documents/index.js';
