import type { Sourced } from '../common/text/sourced.js';
import type { ImpliedOptions, NodeConfig } from '../contract/implied.js';

/** The option `paths` with the different paths that keys of a node's file name; undefined: they name none. */
export function pathsOption(node: NodeConfig, keys: readonly string[]): ImpliedOptions | undefined {
  const set = keys
    .map((key) => node.get<string | readonly string[]>(key))
    .map(({ value, origin }) => ({ value: [value].flat().filter((path) => path !== ''), origin }))
    .filter(({ value }) => value.length > 0);
  const [first] = set;
  if (first === undefined) return undefined;
  const paths: Sourced<unknown> = {
    value: [...new Set(set.flatMap(({ value }) => value))],
    origin: first.origin,
  };
  return { paths };
}
