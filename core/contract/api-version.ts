// Whether a plugin works with a version of the plugin API.

/** `^major.minor`, or a major version alone. */
const RANGE = /^(?:\^(?<major>\d{1,5})\.(?<minor>\d{1,5})|(?<any>\d{1,5}))$/;

/**
 * Checks the range of API versions that a plugin declares: `^1.2` allows 1.2 and each later 1.x, `1` allows each 1.x.
 *
 * @param version the version of this agent, `major.minor`
 * @returns the problem, or undefined when the range allows the version
 */
export function apiVersionProblem(range: unknown, version: string): string | undefined {
  const text = typeof range === 'string' || typeof range === 'number' ? String(range) : '';
  const groups = RANGE.exec(text)?.groups;
  if (groups === undefined) {
    return `apiVersion must be a range such as '^${version}': value was ${show(range)}`;
  }
  const [major, minor] = version.split('.').map(Number) as [number, number];
  if (Number(groups.major ?? groups.any) === major && Number(groups.minor ?? 0) <= minor) return undefined;
  return `the plugin requires plugin API ${text}, this agent has version ${version}`;
}

function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 100));
  const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function';
  return isObject || typeof value === 'symbol' ? typeof value : String(value);
}
