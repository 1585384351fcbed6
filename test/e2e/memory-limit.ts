// Runs programs with a limit of their memory.

import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import type { ExecutionContext } from 'ava';

const V1 = '/sys/fs/cgroup/memory';
const V2 = '/sys/fs/cgroup';

/** A limit of memory. */
export interface MemoryLimit {
  /** For the option `under` of `startProgram`. */
  readonly under: readonly string[];
  /** The most memory that was in use, in MiB; undefined without a cgroup. */
  readonly peak: () => number | undefined;
}

/**
 * Limits memory with a cgroup, as containers do. Where no cgroup can be created, only the heap of V8 is limited
 * (`--max-old-space-size`), which buffers are not part of.
 */
export function limitMemory(t: ExecutionContext, mebibytes: number): MemoryLimit {
  const bytes = mebibytes * 1024 ** 2;
  const name = `fabric-ops-agent-${process.pid}-${Math.random().toString(36).slice(2)}`;
  const [parent, limit, peak] = existsSync(`${V1}/memory.limit_in_bytes`)
    ? [V1, 'memory.limit_in_bytes', 'memory.max_usage_in_bytes']
    : [V2, 'memory.max', 'memory.peak'];
  const directory = `${parent}/${name}`;
  try {
    mkdirSync(directory);
    writeFileSync(`${directory}/${limit}`, String(bytes));
  } catch {
    t.log(`no memory cgroup can be created; the heap is limited to ${mebibytes} MB`);
    return { under: ['env', `NODE_OPTIONS=--max-old-space-size=${mebibytes}`], peak: () => undefined };
  }
  t.teardown(async () => {
    for (let attempt = 0; attempt < 50; attempt += 1) {
      try {
        return rmdirSync(directory);
      } catch {
        // The killed process still ends.
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  });
  return {
    under: ['sh', '-c', `echo $$ >${directory}/cgroup.procs && exec "$@"`, 'sh'],
    peak: () => Math.round(Number(readFileSync(`${directory}/${peak}`, 'utf8')) / 1024 ** 2),
  };
}
