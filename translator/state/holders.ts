// Finds the actors that satisfy a policy: alone, or together with others. All actors at once, for speed on channels of many organisations.

import { groupBy } from '../../core/common/group-by.js';
import {
  evaluateSignaturePolicy,
  SignerList,
  Evaluation,
  type PolicyNode,
  type SignatureRule,
  type SignaturePolicy,
  mspidOf,
  needOf,
  type Signer,
} from '../policy/index.js';
import type { Principal } from '../msp/index.js';

/** The signers who satisfy the policies of one config. Each policy is evaluated once. */
export class Holders {
  readonly #byMsp: ReadonlyMap<string, readonly Signer[]>;
  readonly #all: readonly Signer[];
  readonly #nobody = new Evaluation(new SignerList([]));
  readonly #lists = new Map<Signer, SignerList>();
  readonly #alone = new Map<PolicyNode, ReadonlySet<Signer>>();
  readonly #together = new Map<PolicyNode, ReadonlySet<Signer>>();
  readonly #own = new Map<PolicyNode, ReadonlySet<Signer>>();

  constructor(signers: Iterable<Signer>) {
    this.#all = [...new Set(signers)];
    this.#byMsp = groupBy(this.#all, ({ mspid }) => mspid);
  }

  /** Whether a policy needs no signature: a message with a signature that does not count satisfies it, too. */
  isOpen(node: PolicyNode): boolean {
    return this.#nobody.satisfied(node);
  }

  /** The signers that satisfy a policy alone. */
  alone(node: PolicyNode): ReadonlySet<Signer> {
    return cached(this.#alone, node, () => {
      if (node.kind === 'signature')
        return this.#filter(node.policy, (signer) =>
          evaluateSignaturePolicy(node.policy, this.#list(signer)),
        );
      const counts = new Map<Signer, number>();
      for (const { policy } of node.groups)
        for (const signer of policy === undefined ? [] : this.alone(policy))
          counts.set(signer, (counts.get(signer) ?? 0) + 1);
      // An unknown rule has the threshold 0, which is met exactly while no group satisfies its policy.
      if (node.threshold === 0) return new Set(this.#all.filter((signer) => !counts.has(signer)));
      return new Set([...counts].flatMap(([signer, count]) => (count >= node.threshold ? [signer] : [])));
    });
  }

  /** The signers that count for a policy, perhaps only together with others; everybody if it needs no signature. */
  together(node: PolicyNode): ReadonlySet<Signer> {
    return cached(this.#together, node, () => {
      if (this.isOpen(node)) return new Set(this.#all);
      if (node.kind === 'signature')
        return this.#filter(node.policy, (signer) =>
          node.policy.identities.some(({ principal }) => signer.satisfies(principal)),
        );
      return new Set(
        node.groups.flatMap(({ policy }) => (policy === undefined ? [] : [...this.together(policy)])),
      );
    });
  }

  /** The signers that satisfy a policy together with only members of their MSP, any number of each role. */
  ownTogether(node: PolicyNode): ReadonlySet<Signer> {
    return cached(this.#own, node, () => {
      const names = node.kind === 'signature' ? namedIn(node.policy) : undefined;
      const able = [...this.#byMsp].filter(
        ([mspid, signers]) => names?.has(mspid) !== false && this.#satisfy(node, signers),
      );
      const together = this.together(node);
      return new Set(able.flatMap(([, signers]) => signers.filter((signer) => together.has(signer))));
    });
  }

  /** Whether some signers, any number of each, satisfy a policy. */
  #satisfy(node: PolicyNode, signers: readonly Signer[]): boolean {
    const need = needOf(node, (principal) => signers.some((signer) => signer.satisfies(principal)));
    return need.kind !== 'impossible';
  }

  #filter(policy: SignaturePolicy, holds: (signer: Signer) => boolean): ReadonlySet<Signer> {
    const names = namedIn(policy);
    const candidates =
      names === undefined ? this.#all : [...names].flatMap((name) => this.#byMsp.get(name) ?? []);
    return new Set(candidates.filter(holds));
  }

  #list(signer: Signer): SignerList {
    return cached(this.#lists, signer, () => new SignerList([signer]));
  }
}

function cached<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let found = map.get(key);
  if (found === undefined) {
    found = make();
    map.set(key, found);
  }
  return found;
}

/** Whether a gate needs no signature. */
const needsNobody = (rule: SignatureRule | undefined): boolean =>
  rule?.kind === 'outOf' && (rule.n <= 0 || rule.rules.some(needsNobody));

/** The MSPs with identities that count for a policy; undefined for any MSP. */
const namedIn = ({ identities, rule }: SignaturePolicy): ReadonlySet<string> | undefined =>
  needsNobody(rule) ? undefined : mspidsOf(identities.map(({ principal }) => principal));

/** The MSPs with identities that can satisfy one of the principals; undefined for any MSP. */
function mspidsOf(principals: readonly Principal[]): Set<string> | undefined {
  const found = new Set<string>();
  for (const principal of principals) {
    if (principal.kind === 'role' || principal.kind === 'ou') found.add(principal.mspid);
    else if (principal.kind === 'identity') found.add(mspidOf(principal.identity));
    else if (principal.kind !== 'unknown') return undefined;
  }
  return found;
}
