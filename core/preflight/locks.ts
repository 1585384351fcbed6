// Who has locked a file, as Linux lists it.

import { readFileSync, statSync } from 'node:fs';

/** The process that has locked a file; 0: a process that cannot be seen from here. Undefined: nobody has. */
export function lockHolder(path: string): number | undefined {
  try {
    const { ino, dev } = statSync(path, { bigint: true });
    // As `makedev` of Linux joins them.
    const major = ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & 0xfffff000n);
    const minor = (dev & 0xffn) | ((dev >> 12n) & 0xffffff00n);
    const hex = (part: bigint): string => part.toString(16).padStart(2, '0');
    const id = `${hex(major)}:${hex(minor)}:${ino}`;
    const line = readFileSync('/proc/locks', 'utf8')
      .split('\n')
      .find((each) => / FLOCK +\S+ +WRITE /.test(each) && each.split(/\s+/).includes(id));
    return line === undefined ? undefined : Math.max(0, Number(/WRITE +(-?\d+)/.exec(line)?.[1] ?? 0));
  } catch {
    return undefined;
  }
}
