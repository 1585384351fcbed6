// A level of a node that was left behind, for example by an agent that was killed during a lease.

import { CheckWarning, LEVELS, parseLogSpec } from '../contract/index.js';
import type { LeasedSpec } from './lease.js';

/** Time between two attempts to read the level at the start, in milliseconds. */
const RETRY_AFTER = 10_000;

/** What {@link watchLeftLevel} needs. */
interface LeftLevelOptions {
  /** The name of the node. */
  readonly node: string;
  readonly level: Pick<LeasedSpec, 'get'>;
  /** What the variables of the node set at its start; undefined: unknown. */
  readonly configured: string | undefined;
  readonly health: { register(component: string, check: () => Promise<void>): unknown };
}

/**
 * Reads the level of a node once. If it is another one than the node starts with, or unknown and lower than `info`, the component
 * `<node>/level` has a warning until that ends.
 *
 * @returns ends the attempts to read it
 */
export function watchLeftLevel({ node, level, configured, health }: LeftLevelOptions): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const check = async (): Promise<void> => {
    const { spec, revertsAt } = await level.get();
    const problem = revertsAt === undefined ? problemOf(spec, configured) : undefined;
    if (problem !== undefined)
      throw new CheckWarning(
        `${problem}; nothing ends that: set it with PUT /nodes/${node}/logspec, or restart the node`,
      );
  };
  const begin = async (): Promise<void> => {
    try {
      await check();
    } catch (error) {
      if (isStopped) return;
      if (!(error instanceof CheckWarning)) {
        timer = setTimeout(() => void begin(), RETRY_AFTER).unref();
        return;
      }
      health.register(`${node}/level`, async () => {
        await check().catch((reason: unknown) => {
          // Other checks report a node that is down.
          if (reason instanceof CheckWarning) throw reason;
        });
      });
    }
  };
  void begin();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

function problemOf(spec: string, configured: string | undefined): string | undefined {
  const active = parseLogSpec(spec);
  if (configured === undefined)
    return LEVELS[active.lowestLevel] < LEVELS.info ? `the log level is '${spec}'` : undefined;
  const expected = parseLogSpec(configured).toString();
  return expected === active.toString()
    ? undefined
    : `the log level is '${spec}', but FABRIC_LOGGING_SPEC of the node is '${expected}'`;
}
