// The labels of one source's series with the label `node`.

import type { Labels, SourceFamily } from '../contract/index.js';

/** The labels of one family, in the order of its series. */
interface FamilyLabels {
  readonly own: Labels[];
  readonly withNode: Labels[];
}

/**
 * Adds the label `node` to series. The result is kept for the next scrape: the labels object of a series is usually the same in each
 * reading.
 */
export class NodeLabels {
  readonly #node: string;
  readonly #families = new Map<string, FamilyLabels>();

  /** @param node the value of the label */
  constructor(node: string) {
    this.#node = node;
  }

  /** Drops what is kept of families that are not among these. */
  retain(families: readonly SourceFamily[]): void {
    const names = new Set(families.map(({ name }) => name));
    for (const name of this.#families.keys()) if (!names.has(name)) this.#families.delete(name);
  }

  /** Creates a function that returns the labels of a series; `index` is its place in the family. */
  of({ name, series }: SourceFamily): (labels: Labels, index: number) => Labels {
    let kept = this.#families.get(name);
    if (kept === undefined) this.#families.set(name, (kept = { own: [], withNode: [] }));
    const { own, withNode } = kept;
    own.length = Math.min(own.length, series.length);
    withNode.length = own.length;
    return (labels, index) => {
      if (own[index] !== labels) {
        own[index] = labels;
        withNode[index] = addNode(labels, this.#node);
      }
      return withNode[index] as Labels;
    };
  }
}

/** Adds the label `node`. A label of this name that the series has is renamed, as Prometheus does with labels of a target. */
function addNode(labels: Labels, node: string): Labels {
  if (!Object.hasOwn(labels, 'node')) return { ...labels, node };
  const { node: own, ...others } = labels;
  return { ...others, exported_node: own as string, node };
}
