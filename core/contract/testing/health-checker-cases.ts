import assert from 'node:assert/strict';
import { reasonOf } from '../errors.js';
import type { OptionSchema } from '../options.js';
import type { PluginDefinition } from '../plugin.js';
import { inTime, type ContractCase } from './case.js';
import { lifecycleCases, startPlugin, withPlugin, type CreateFixture } from './common-cases.js';

/** Fixtures for the suite of a checker. */
export interface HealthCheckerFixtures<Schema extends OptionSchema> {
  /** The component is healthy. */
  readonly healthy: CreateFixture<Schema>;
  /** The checker starts, and the component is not healthy. */
  readonly unhealthy: CreateFixture<Schema>;
}

/** What every health checker must do. */
export function healthCheckerCases<Schema extends OptionSchema>(
  definition: PluginDefinition<'health', Schema>,
  { healthy, unhealthy }: NoInfer<HealthCheckerFixtures<Schema>>,
): ContractCase[] {
  const label = `health plugin ${definition.name}`;
  return [
    ...lifecycleCases(definition, healthy),
    {
      title: `${label}: a check of a healthy component succeeds, again and again`,
      run: () =>
        withPlugin(definition, healthy, async (checker) => {
          await startPlugin(checker);
          for (let count = 0; count < 3; count += 1)
            await inTime('check', checker.check(new AbortController().signal));
        }),
    },
    {
      title: `${label}: checks of a healthy component can run side by side`,
      run: () =>
        withPlugin(definition, healthy, async (checker) => {
          await startPlugin(checker);
          const check = async (): Promise<void> => checker.check(new AbortController().signal);
          await inTime('the checks', Promise.all([check(), check(), check()]));
        }),
    },
    {
      title: `${label}: a check of an unhealthy component fails with a reason of one line`,
      run: () =>
        withPlugin(definition, unhealthy, async (checker) => {
          await startPlugin(checker);
          const failure = await failureOf(async () => checker.check(new AbortController().signal));
          assert.ok(failure instanceof Error, 'the check must reject with an Error');
          assert.match(
            failure.message,
            /^\S[^\n]*\S$/,
            'the reason must be one line without blanks around it',
          );
          assert.equal(reasonOf(failure), failure.message, 'the reason must not be too long');
        }),
    },
    {
      title: `${label}: a check comes to an end once its signal is aborted`,
      run: () =>
        withPlugin(definition, unhealthy, async (checker) => {
          await startPlugin(checker);
          const abort = new AbortController();
          const ended = (async () => checker.check(abort.signal))().catch(() => undefined);
          abort.abort();
          await inTime('the aborted check', ended);
        }),
    },
  ];
}

async function failureOf(work: () => Promise<void>): Promise<unknown> {
  try {
    await inTime('check', work());
    return undefined;
  } catch (error) {
    return error;
  }
}
