/**
 * Short names of paths, which differ: the last part of each, or as many parts as are needed to tell it from the others.
 *
 * @returns the names by path
 */
export function shortNames(paths: readonly string[]): ReadonlyMap<string, string> {
  const different = [...new Set(paths)];
  const nameOf = (path: string): string => {
    const parts = path.split('/').filter((part) => part !== '');
    for (let count = 1; count < parts.length; count += 1) {
      const name = parts.slice(-count).join('/');
      if (!different.some((other) => other !== path && `/${other}`.endsWith(`/${name}`))) return name;
    }
    return path;
  };
  return new Map(different.map((path) => [path, nameOf(path)]));
}
