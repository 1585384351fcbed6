// Finds built-in plugins. It imports nothing, because every start of a command loads it.

/** A built-in plugin. */
export interface BuiltInPlugin {
  readonly kind: string;
  readonly name: string;
  readonly url: string;
}

/** Finds a built-in plugin by `<kind>/<name>`, or by its name, which means the first plugin in the list. */
export function findBuiltIn<BuiltIn extends Omit<BuiltInPlugin, 'url'>>(
  plugin: string,
  builtIn: readonly BuiltIn[],
): BuiltIn | undefined {
  return builtIn.find(({ kind, name }) => plugin === name || plugin === `${kind}/${name}`);
}
