// Creates docker checkers as the host does.

import type { ExecutionContext } from 'ava';
import type { HealthChecker, OptionValues } from '../../../../core/contract/index.js';
import { createNodeTestContext } from '../../../../core/testing/context.js';
import { checkOptions } from '../../../../core/host/load.js';
import docker from '../../../../plugins/health/docker/index.js';
import { declaration } from '../../../helpers/agent.js';

/** Creates and starts a checker with the options of a declaration; it is stopped at the end of the test. */
export async function createChecker(
  t: ExecutionContext,
  options: Readonly<Record<string, unknown>>,
): Promise<HealthChecker> {
  const checked = checkOptions(docker, declaration({ options: { timeout: '5m', ...options } }));
  if (checked.problems.length > 0) throw new Error(checked.problems.join('\n'));
  const values = checked.options as OptionValues<typeof docker.options>;
  const checker = docker.create(createNodeTestContext(docker, values).context);
  t.teardown(() => checker.stop?.());
  await checker.init?.();
  await checker.start?.(new AbortController().signal);
  return checker;
}

/** Runs a check once. Returns the reason of the failure, or undefined. */
export async function reasonFor(
  t: ExecutionContext,
  options: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  const checker = await createChecker(t, options);
  try {
    await checker.check(new AbortController().signal);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
