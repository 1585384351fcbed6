// The facts that checkers have published, by kind and checker.

import type { Fact, FactKind, Facts, FactValues } from '../contract/internal/index.js';
import { checkFact } from '../contract/internal/facts.js';

/** Called with each new fact of a kind. */
type Listener<Kind extends FactKind> = (fact: Fact<Kind>) => void;

/** Keeps the newest fact of each kind from each checker. */
export class FactStore {
  readonly #facts = new Map<FactKind, Map<string, Fact>>();
  readonly #listeners = new Map<FactKind, Listener<never>[]>();

  /** The facts as a checker sees them. @param node the node of the checker */
  of(checker: string, node: string | undefined): Facts {
    return {
      publish: (kind, value) => {
        if (value === undefined) {
          this.#facts.get(kind)?.delete(checker);
          return;
        }
        checkFact(kind, value);
        this.#add(kind, { checker, node, publishedAt: Date.now(), value });
      },
      latest: (kind) => this.latest(kind),
    };
  }

  /** See {@link Facts.latest}. */
  latest<Kind extends FactKind>(kind: Kind): readonly Fact<Kind>[] {
    return [...((this.#facts.get(kind) ?? new Map()) as Map<string, Fact<Kind>>).values()];
  }

  /** The value of a kind about a node; if several checkers have published one, the newest. */
  about<Kind extends FactKind>(kind: Kind, node: string): FactValues[Kind] | undefined {
    const facts = this.latest(kind).filter((fact) => fact.node === node);
    return facts.toSorted((a, b) => b.publishedAt - a.publishedAt)[0]?.value;
  }

  /** Calls a function with each fact of a kind that is published from now on. */
  onPublished<Kind extends FactKind>(kind: Kind, listener: Listener<Kind>): void {
    this.#listeners.set(kind, [...(this.#listeners.get(kind) ?? []), listener]);
  }

  /** Ends all facts of a checker. */
  end(checker: string): void {
    for (const facts of this.#facts.values()) facts.delete(checker);
  }

  #add<Kind extends FactKind>(kind: Kind, fact: Fact<Kind>): void {
    const facts = this.#facts.get(kind) ?? new Map<string, Fact>();
    this.#facts.set(kind, facts);
    facts.set(fact.checker, fact);
    for (const listener of this.#listeners.get(kind) ?? []) (listener as Listener<Kind>)(fact);
  }
}
