// Finds built-in plugins. It imports no code, because every start of a command loads it.

import type { ConfiguredAgent, ConfiguredNode } from '../contract/for-node.js';

/** A built-in plugin; its module is imported only when it is listed or can be implied. */
export interface BuiltInPlugin {
  readonly kind: string;
  readonly name: string;
  readonly url: string;
  /** False: `forAgent` of the plugin would return undefined. @default it has no `forAgent` */
  readonly mayBeForAgent?: (agent: ConfiguredAgent) => boolean;
  /** False: `forNode` of the plugin would return undefined. @default it has no `forNode` */
  readonly mayBeForNode?: (node: ConfiguredNode, agent: ConfiguredAgent) => boolean;
}

/** Finds a built-in plugin by `<kind>/<name>`, or by its name, which means the first plugin in the list. */
export function findBuiltIn<BuiltIn extends Omit<BuiltInPlugin, 'url'>>(
  plugin: string,
  builtIn: readonly BuiltIn[],
): BuiltIn | undefined {
  return builtIn.find(({ kind, name }) => plugin === name || plugin === `${kind}/${name}`);
}
