// Certificate policies (RFC 5280 as updated by RFC 9618): parses the extensions, and checks whether a chain satisfies them. Go checks them
// since 1.24.

import { appendTo } from '../../core/common/group-by.js';
import { context, INTEGER, OID, SEQUENCE } from '../../core/common/certificates/der.js';
import { sameBytes, toHex } from '../../proto/bytes.js';
import { badCertificate, DerReader, integerOf } from './der.js';

/** The policy extensions of a certificate. Policies are object identifiers: the content of the DER in hexadecimal. */
export interface PolicyExtensions {
  readonly policies: readonly string[];
  readonly mappings: readonly { readonly issuer: string; readonly subject: string }[];
  /** The number of certificates after which the limits apply; -1 means no limit. */
  readonly requireExplicitPolicy: number;
  readonly inhibitPolicyMapping: number;
  readonly inhibitAnyPolicy: number;
}

export const NO_POLICIES: PolicyExtensions = {
  policies: [],
  mappings: [],
  requireExplicitPolicy: -1,
  inhibitPolicyMapping: -1,
  inhibitAnyPolicy: -1,
};

export const POLICIES = '2.5.29.32';
export const POLICY_MAPPINGS = '2.5.29.33';
export const POLICY_CONSTRAINTS = '2.5.29.36';
export const INHIBIT_ANY_POLICY = '2.5.29.54';
/** 2.5.29.32.0 */
const ANY_POLICY = '551d2000';

/** Reads a certificatePolicies extension (`parseCertificatePoliciesExtension`). @throws TranslateError with Go's text */
export function readPolicies(value: Uint8Array): readonly string[] {
  const policies: string[] = [];
  const failure = 'x509: invalid certificate policies';
  for (const list = new DerReader(value).enter(SEQUENCE, failure); !list.isEmpty;) {
    const { content } = list.enter(SEQUENCE, failure).read(OID, failure);
    if (!isOid(content)) throw badCertificate(failure);
    policies.push(toHex(content));
  }
  return policies;
}

/** Whether the components of an object identifier are complete and minimal (`newOIDFromDER`); they may be of any size. */
const isOid = (content: Uint8Array): boolean =>
  content.length > 0 &&
  content.at(-1)! < 0x80 &&
  content.every((byte, at) => byte !== 0x80 || (at > 0 && content[at - 1]! >= 0x80));

/** Reads another policy extension (`processExtensions` since Go 1.24). @throws TranslateError with Go's text */
export function readPolicyExtension(id: string, value: Uint8Array): Partial<PolicyExtensions> {
  if (id === POLICY_MAPPINGS) return { mappings: readMappings(value) };
  if (id === POLICY_CONSTRAINTS) return readConstraints(value);
  const failure = 'x509: invalid inhibit any policy extension';
  return { inhibitAnyPolicy: countOf(new DerReader(value).read(INTEGER, failure).content, failure) };
}

function readMappings(value: Uint8Array): PolicyExtensions['mappings'] {
  const mappings: { issuer: string; subject: string }[] = [];
  const failure = 'x509: invalid policy mappings extension';
  for (const list = new DerReader(value).enter(SEQUENCE, failure); !list.isEmpty;) {
    const pair = list.enter(SEQUENCE, failure);
    const [issuer, subject] = [pair.read(OID, failure), pair.read(OID, failure)];
    mappings.push({ issuer: toHex(issuer.content), subject: toHex(subject.content) });
  }
  return mappings;
}

function readConstraints(value: Uint8Array): Partial<PolicyExtensions> {
  const failure = 'x509: invalid policy constraints extension';
  const list = new DerReader(value).enter(SEQUENCE, failure);
  const [explicit, mapping] = [0, 1].map((tag) => list.optional(context(tag, false), failure)?.content);
  return {
    ...(explicit !== undefined && { requireExplicitPolicy: countOf(explicit, failure) }),
    ...(mapping !== undefined && { inhibitPolicyMapping: countOf(mapping, failure) }),
  };
}

const INT64_SIZE = 8;

/** A number, which Go ignores if it is negative. @throws TranslateError with the text if it is not an int64 */
function countOf(content: Uint8Array, failure: string): number {
  const value = integerOf(content);
  if (value === undefined || content.length > INT64_SIZE) throw badCertificate(failure);
  return Number(value);
}

/** A policy that is valid at a depth of the chain. */
interface Node {
  readonly policy: string;
  /** The policies that match it in the next certificate. */
  expected: readonly string[];
  readonly parents: Set<Node>;
  readonly children: Set<Node>;
}

/** The policies at each depth (`policyGraph`). */
class PolicyGraph {
  readonly #strata: Map<string, Node>[] = [new Map([[ANY_POLICY, nodeOf(ANY_POLICY, [])]])];
  #byExpected = new Map<string, Node[]>();

  get #leaves(): Map<string, Node> {
    return this.#strata.at(-1)!;
  }

  get #parents(): Map<string, Node> {
    return this.#strata.at(-2)!;
  }

  leaf(policy: string): Node | undefined {
    return this.#leaves.get(policy);
  }

  insert(policy: string, parents: readonly Node[], expected: readonly string[] = [policy]): void {
    this.#leaves.set(policy, nodeOf(policy, parents, expected));
  }

  /** The policies of the next certificate (RFC 9618, 6.1.3 d). */
  descend(policies: readonly string[], allowsAny: boolean): void {
    this.#byExpected = new Map();
    for (const node of this.#leaves.values())
      for (const each of node.expected) appendTo(this.#byExpected, each, node);
    this.#strata.push(new Map());
    for (const policy of policies) {
      if (policy === ANY_POLICY) continue;
      const any = this.#parents.get(ANY_POLICY);
      const parents = this.#byExpected.get(policy) ?? (any === undefined ? [] : [any]);
      if (parents.length > 0) this.insert(policy, parents);
    }
    if (policies.includes(ANY_POLICY) && allowsAny)
      for (const [expected, parents] of this.#byExpected)
        if (!this.#leaves.has(expected)) this.insert(expected, parents);
    this.prune();
  }

  deleteLeaf(policy: string): void {
    const node = this.#leaves.get(policy);
    for (const parent of node?.parents ?? []) parent.children.delete(node!);
    this.#leaves.delete(policy);
    this.prune();
  }

  /** Removes nodes without descendants among the leaves. */
  prune(): void {
    for (const stratum of this.#strata.slice(1, -1).toReversed())
      for (const [policy, node] of stratum) {
        if (node.children.size > 0) continue;
        for (const parent of node.parents) parent.children.delete(node);
        stratum.delete(policy);
      }
  }

  /** Whether a policy is valid for the whole chain (6.1.5 g). */
  get hasValidPolicy(): boolean {
    if (this.leaf(ANY_POLICY) !== undefined) return true;
    return this.#strata.some((stratum) =>
      [...stratum.values()].some(
        ({ policy, parents: [parent, ...others] }) =>
          policy !== ANY_POLICY && parent?.policy === ANY_POLICY && others.length === 0,
      ),
    );
  }
}

function nodeOf(policy: string, parents: readonly Node[], expected: readonly string[] = [policy]): Node {
  const node: Node = { policy, expected, parents: new Set(parents), children: new Set() };
  for (const parent of parents) parent.children.add(node);
  return node;
}

/** The compared parts of a certificate. */
interface WithPolicies {
  readonly issuer: { readonly raw: Uint8Array };
  readonly subject: { readonly raw: Uint8Array };
  readonly extensions: { readonly policies: PolicyExtensions };
}

/** Whether a chain to a root satisfies the policies of its certificates (`policiesValid`), if the caller requires none. */
export function policiesValid(chain: readonly WithPolicies[]): boolean {
  const length = chain.length - 1;
  if (length === 0) return true;
  let graph: PolicyGraph | undefined = new PolicyGraph();
  const limits = { any: length + 1, explicit: length + 1, mapping: length + 1 };
  for (let index = length - 1; index >= 0; index--) {
    const { issuer, subject, extensions } = chain[index]!;
    const { policies, mappings, ...own } = extensions.policies;
    const isSelfIssued = sameBytes(issuer.raw, subject.raw);
    if (policies.length === 0) graph = undefined;
    if (limits.explicit === 0 && graph === undefined) return false;
    graph?.descend(policies, limits.any > 0 || (index > 0 && isSelfIssued));
    if (index === 0) continue;
    if (graph !== undefined && !applyMappings(graph, mappings, limits.mapping > 0)) return false;
    if (!isSelfIssued)
      for (const limit of ['any', 'explicit', 'mapping'] as const)
        limits[limit] = Math.max(0, limits[limit] - 1);
    const lower = (limit: number, to: number): number => (to >= 0 ? Math.min(limit, to) : limit);
    limits.explicit = lower(limits.explicit, own.requireExplicitPolicy);
    limits.mapping = lower(limits.mapping, own.inhibitPolicyMapping);
    limits.any = lower(limits.any, own.inhibitAnyPolicy);
  }
  const isRequired = limits.explicit <= 1 || chain[0]!.extensions.policies.requireExplicitPolicy === 0;
  return !isRequired || graph?.hasValidPolicy === true;
}

/** Applies policyMappings (6.1.4 b). @returns false if one is not valid */
function applyMappings(
  graph: PolicyGraph,
  mappings: PolicyExtensions['mappings'],
  isAllowed: boolean,
): boolean {
  if (!isAllowed) {
    for (const { issuer } of mappings) graph.deleteLeaf(issuer);
    return true;
  }
  if (mappings.some(({ issuer, subject }) => issuer === ANY_POLICY || subject === ANY_POLICY)) return false;
  const subjects = new Map<string, string[]>();
  for (const { issuer, subject } of mappings) appendTo(subjects, issuer, subject);
  for (const [issuer, expected] of subjects) {
    const [leaf, any] = [graph.leaf(issuer), graph.leaf(ANY_POLICY)];
    if (leaf !== undefined) leaf.expected = expected;
    else if (any !== undefined) graph.insert(issuer, [any], expected);
  }
  return true;
}
