// Evaluates the policies of a channel for one list of signers. Each policy is evaluated once.

import { evaluateSignaturePolicy, type SignerList } from './evaluate.js';
import type { MetaNode, PolicyNode } from './policies.js';

/** The results for one list of signers. */
export class Evaluation {
  readonly list: SignerList;
  readonly #results = new Map<PolicyNode, string>();

  constructor(list: SignerList) {
    this.list = list;
  }

  /** Fabric's error for a policy that is not satisfied; undefined if it is satisfied. */
  errorOf(node: PolicyNode): string | undefined {
    let error = this.#results.get(node);
    if (error === undefined) {
      error = node.kind === 'implicitMeta' ? this.#meta(node) : this.#signature(node);
      this.#results.set(node, error);
    }
    return error === '' ? undefined : error;
  }

  /** Whether the signers satisfy a policy. */
  satisfied(node: PolicyNode): boolean {
    return this.errorOf(node) === undefined;
  }

  #signature({ policy }: PolicyNode & { kind: 'signature' }): string {
    return evaluateSignaturePolicy(policy, this.list) ? '' : 'signature set did not satisfy policy';
  }

  /** Fabric: `common/policies/implicitmeta.go`. A threshold of 0 is met only if no group satisfies its policy. */
  #meta({ groups, threshold, subPolicy }: MetaNode): string {
    let satisfied = 0;
    for (const { policy } of groups) {
      if (policy === undefined || !this.satisfied(policy)) continue;
      satisfied++;
      if (satisfied === threshold) return '';
    }
    if (satisfied === threshold) return '';
    return `implicit policy evaluation failed - ${String(satisfied)} sub-policies were satisfied, but this policy requires ${String(threshold)} of the '${subPolicy}' sub-policies to be satisfied`;
  }
}
