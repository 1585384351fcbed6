// Causes that several failed parts share, such as a certificate in several channels and files: one event for all of them.

import type { Severity } from '../contract/errors.js';
import type { SharedCause } from '../contract/internal/index.js';

/** Maximum number of places, of uses and of nodes that a reason lists. */
const SHOWN = 10;

/** A failed part with a shared cause. */
interface Member {
  readonly component: string;
  readonly severity: Severity;
  readonly cause: SharedCause;
}

/** The failure of a shared cause, with the component of one of its parts. */
export interface SharedFailure {
  readonly component: string;
  readonly severity: Severity;
  readonly reason: string;
}

/** The shared causes of the current failures. */
export class SharedCauses {
  /** By id and component. */
  readonly #members = new Map<string, Map<string, Member>>();
  /** The ids of each component. */
  readonly #ids = new Map<string, readonly string[]>();
  readonly #nodeOf: (component: string) => string | undefined;

  /** @param nodeOf the node that a component belongs to */
  constructor(nodeOf: (component: string) => string | undefined) {
    this.#nodeOf = nodeOf;
  }

  /** Replaces the causes of a component. @returns the ids of its former and new causes */
  record(component: string, causes: readonly SharedCause[], severity: Severity): ReadonlySet<string> {
    const before = this.#ids.get(component) ?? [];
    for (const id of before) {
      const members = this.#members.get(id);
      members?.delete(component);
      if (members?.size === 0) this.#members.delete(id);
    }
    for (const cause of causes) {
      const members = this.#members.get(cause.id) ?? new Map<string, Member>();
      members.set(component, { component, severity, cause });
      this.#members.set(cause.id, members);
    }
    const ids = causes.map(({ id }) => id);
    if (ids.length === 0) this.#ids.delete(component);
    else this.#ids.set(component, ids);
    return new Set([...before, ...ids]);
  }

  /** The failure of a cause; undefined: no part has it. */
  failureOf(id: string): SharedFailure | undefined {
    const members = [...(this.#members.get(id)?.values() ?? [])].toSorted(byWeight);
    const [first] = members;
    if (first === undefined) return undefined;
    const listed = (texts: readonly string[]): string => listOf([...new Set(texts)].toSorted());
    const places = listed(members.map(({ cause }) => cause.place));
    const uses = listed(members.map(({ cause }) => cause.use));
    const nodes = listed(members.flatMap(({ component }) => this.#nodeOf(component) ?? []));
    const where = `in ${places} as ${uses}`;
    return {
      component: first.component,
      severity: first.severity,
      reason: [first.cause.reason, where, ...(nodes === '' ? [] : [`found by ${nodes}`])].join('; '),
    };
  }
}

/** Sorts critical parts first, then parts with `isMain`, then by name. */
function byWeight(one: Member, other: Member): number {
  const rank = ({ severity, cause }: Member): number =>
    (severity === 'critical' ? 0 : 2) + (cause.isMain === true ? 0 : 1);
  return rank(one) - rank(other) || (one.component < other.component ? -1 : 1);
}

const listOf = (texts: readonly string[]): string =>
  texts.length <= SHOWN
    ? texts.join(', ')
    : `${texts.slice(0, SHOWN).join(', ')} and ${texts.length - SHOWN} more`;
