// The names of failed parts: short, because users read them in alerts. The path is in the reason.

import { shortNames } from '../../../core/kit/internal/index.js';

/** The longest name of a part, in UTF-16 units. */
const MAX_PART = 250;

/**
 * Creates a function that shortens a path to its name relative to the paths of the options.
 *
 * @param roots absolute, without a slash at the end
 */
export function createPartNames(roots: readonly string[]): (path: string) => string {
  const names = [...shortNames(roots)].sort(([one], [other]) => other.length - one.length);
  return (path) => {
    const [root = '', name = ''] =
      names.find(([each]) => path === each || path.startsWith(`${each}/`)) ??
      names.find(([each]) => path.startsWith(each)) ??
      [];
    const short = `${name}${path.slice(root.length)}`;
    // Names that are too long differ at their ends.
    return short.length > MAX_PART ? `…${short.slice(1 - MAX_PART)}` : short;
  };
}
