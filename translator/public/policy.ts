// `fabric-ops-agent/translator/policy`: parses, prints and evaluates policies, and finds who must sign. In Node.js and in browsers.

export {
  Evaluation,
  SignerList,
  createPolicies,
  findMissing,
  findPolicy,
  isExpressible,
  isSatisfiable,
  judge,
  minimalSignerSets,
  needOf,
  parseSignaturePolicy,
  printSignaturePolicy,
  type Judgement,
  type MemberSet,
  type Missing,
  type Need,
  type Policies,
  type PolicyNode,
  type SignaturePolicy,
  type Signer,
} from '../policy/index.js';
export { describeNeed, describePolicy, describeSet } from '../documents/index.js';
