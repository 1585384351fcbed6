// Searches for an order of the signatures that satisfies policies: each principal uses the first unused signature that satisfies it, so
// the order matters.

import { appendTo } from '../../../core/common/group-by.js';
import { finish, type Steps } from '../../long-call.js';
import type { SignerList } from '../evaluate.js';
import { Evaluation } from '../evaluation.js';
import type { PolicyNode } from '../policies.js';
import type { PolicyIdentity, Rule } from '../signature-policy.js';

/** The maximum number of tried orders. */
const MAX_TRIES = 3000;
/** The maximum work: the number of rules, and of signers of principals, in all tries. */
const MAX_WORK = 5_000_000;

/** An order of signers: their positions in the list. */
export type Order = readonly number[];

/** The result of a search. */
export interface FoundOrder {
  /** Undefined if no order was found. */
  readonly order: Order | undefined;
  /** Whether the search tried all orders. If not, a missing order may exist. */
  readonly complete: boolean;
}

/**
 * Searches for an order of the signers that satisfies all policies. Prefers the existing order.
 *
 * Signers that satisfy the same principals are interchangeable, and the order of two signers matters only if a principal accepts both, so
 * few orders have to be tried for usual policies.
 */
export const findOrder = (policies: readonly PolicyNode[], list: SignerList): FoundOrder =>
  finish(findOrderInSteps(policies, list));

/** Like {@link findOrder}, for long calls: one step for each order that is tried. */
export function* findOrderInSteps(policies: readonly PolicyNode[], list: SignerList): Steps<FoundOrder> {
  const present = [...list.signers.keys()];
  if (countSatisfied(policies, list) === policies.length) return { order: present, complete: true };
  yield;
  const { identities, rules } = collect(policies);
  const pairs = [...identities].reduce((sum, identity) => sum + list.satisfying(identity).length, 0);
  const components = componentsOf(identities, list);
  const tries = Math.min(MAX_TRIES, Math.max(1, Math.floor(MAX_WORK / (rules + pairs + 1))));
  const total = components.reduce((product, each) => product * countOrders(each, tries), 1);
  const complete = total <= tries;
  const orders = complete ? allOrders(components) : variedOrders(components, tries);
  let best = -1;
  for (let next = orders.next(true); next.done !== true;) {
    yield;
    const count = countSatisfied(policies, list.reordered(next.value));
    if (count === policies.length) return { order: next.value, complete: true };
    const better = count >= best;
    if (better) best = count;
    next = orders.next(better);
  }
  return { order: undefined, complete };
}

function countSatisfied(policies: readonly PolicyNode[], list: SignerList): number {
  const evaluation = new Evaluation(list);
  return policies.filter((policy) => evaluation.satisfied(policy)).length;
}

/** The principals of signature policies, and the number of their rules. */
function collect(policies: readonly PolicyNode[]): { identities: Set<PolicyIdentity>; rules: number } {
  const identities = new Set<PolicyIdentity>();
  const known = new Set<PolicyNode>();
  let rules = 0;
  const countRules = (rule: Rule): void => {
    rules++;
    if (rule.kind === 'outOf') for (const nested of rule.rules) countRules(nested);
  };
  const visit = (node: PolicyNode | undefined): void => {
    if (node === undefined || known.has(node)) return;
    known.add(node);
    if (node.kind === 'implicitMeta') {
      for (const { policy } of node.groups) visit(policy);
      return;
    }
    for (const identity of node.policy.identities) identities.add(identity);
    if (node.policy.rule !== undefined) countRules(node.policy.rule);
  };
  for (const policy of policies) visit(policy);
  return { identities, rules };
}

/** Signers with an order that matters, in groups of interchangeable ones. */
type Component = readonly (readonly number[])[];

function componentsOf(identities: Iterable<PolicyIdentity>, list: SignerList): Component[] {
  const signers = [...list.signers.keys()];
  // Two hashes of the principals that each signer satisfies. A collision only reduces the number of tried orders.
  const principals = signers.map(() => [1, 2] as [number, number]);
  const parents = signers.map((at) => at);
  const rootOf = (at: number): number => {
    let root = at;
    while (parents[root] !== root) root = parents[root]!;
    parents[at] = root;
    return root;
  };
  let number = 0;
  for (const identity of identities) {
    const satisfying = list.satisfying(identity);
    number++;
    for (const at of satisfying) {
      const hashes = principals[at]!;
      hashes[0] = Math.imul(hashes[0] ^ number, 0x0100_0193);
      hashes[1] = Math.imul(hashes[1] + number, 0x85eb_ca6b) ^ (hashes[1] >>> 13);
      parents[rootOf(at)] = rootOf(satisfying[0]!);
    }
  }
  const components = new Map<number, Map<string, number[]>>();
  for (const at of signers) {
    const root = rootOf(at);
    const classes = components.get(root) ?? new Map<string, number[]>();
    components.set(root, classes);
    appendTo(classes, principals[at]!.join(), at);
  }
  return [...components.values()].map((classes) => [...classes.values()]);
}

/** The number of different orders of a component, or a number above the limit. */
function countOrders(component: Component, limit: number): number {
  let placed = 0;
  let count = 1;
  for (const { length } of component)
    for (let at = 1; at <= length; at++) {
      count = (count * ++placed) / at;
      if (count > limit * MAX_TRIES) return Number.POSITIVE_INFINITY;
    }
  return Math.round(count);
}

function* allOrders(components: readonly Component[], before: Order = []): Generator<Order, void, boolean> {
  const [component, ...rest] = components;
  if (component === undefined) {
    yield before;
    return;
  }
  for (const order of ordersOf(component)) yield* allOrders(rest, [...before, ...order]);
}

function* ordersOf(component: Component): Generator<Order> {
  if (component.length === 0) yield [];
  for (const [at, [first, ...others]] of component.entries()) {
    if (first === undefined) continue;
    const left = component.with(at, others).filter(({ length }) => length > 0);
    for (const order of ordersOf(left)) yield [first, ...order];
  }
}

/** Varies one component at a time; keeps a variation if the caller reports that it is not worse. */
function* variedOrders(components: readonly Component[], tries: number): Generator<Order, void, boolean> {
  // The smallest and the largest classes first, then random orders.
  const kept = components.map((classes) => classes.toSorted((a, b) => a.length - b.length).flat());
  const random = createRandom();
  yield kept.flat();
  yield kept.flatMap((order) => order.toReversed());
  const movable = [...components.keys()].filter((at) => components[at]!.length > 1);
  if (movable.length === 0) return;
  for (let left = tries; left > 0; left--) {
    const at = movable[random(movable.length)]!;
    const before = kept[at]!;
    kept[at] = shuffled(before, random);
    if (!(yield kept.flat())) kept[at] = before;
  }
}

function shuffled(order: Order, random: (below: number) => number): number[] {
  const result = [...order];
  for (let at = result.length - 1; at > 0; at--) {
    const other = random(at + 1);
    [result[at], result[other]] = [result[other]!, result[at]!];
  }
  return result;
}

/** A generator that repeats the same numbers, so that equal input gives equal output. */
function createRandom(): (below: number) => number {
  let state = 1;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
