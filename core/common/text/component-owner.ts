// Names of components: `peer0/disk` belongs to the node `peer0`, and `peer0/disk/data` is a part of it. Names can begin with other names and
// `/`, so the longest one is the owner.

/** Returns true if a component has a name, or is below it: `peer0/disk` is below `peer0`. */
export const isBelow = (component: string, name: string): boolean =>
  component === name || component.startsWith(`${name}/`);

/** The longest name that a component has or is below; undefined: there is none. */
export function ownerOf(component: string, names: Iterable<string>): string | undefined {
  let owner: string | undefined;
  for (const name of names)
    if (isBelow(component, name) && (owner === undefined || name.length > owner.length)) owner = name;
  return owner;
}
