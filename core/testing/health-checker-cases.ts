// The contract suite of checkers.

import assert from 'node:assert/strict';
import { limitedEvent, MAX_CHECKER_EVENTS, type CheckerEvent } from '../contract/checker-events.js';
import type { HealthChecker } from '../contract/lifecycle.js';
import type { OptionSchema } from '../contract/plugin.js';
import type { PluginDefinition } from '../contract/plugin.js';
import { checkReason, failureOf, inTime, untilFault, type ContractCase } from './case.js';
import { lifecycleCases, startPlugin, withPlugin, type CreateFixture } from './common-cases.js';

/** The fixtures for the suite of a checker. */
export interface HealthCheckerFixtures<Schema extends OptionSchema> {
  /** With a healthy component. */
  readonly healthy: CreateFixture<Schema>;
  /** With an unhealthy component; the checker itself starts. */
  readonly unhealthy: CreateFixture<Schema>;
}

/** The contract suite of health checkers. */
export function healthCheckerCases<Schema extends OptionSchema>(
  definition: PluginDefinition<'checker', Schema>,
  { healthy, unhealthy }: NoInfer<HealthCheckerFixtures<Schema>>,
): ContractCase[] {
  const label = `checker plugin ${definition.name}`;
  return untilFault([
    ...lifecycleCases(definition, healthy, (checker, signal) => checker.check(signal)),
    {
      title: `${label}: repeated checks of a healthy component succeed`,
      run: () =>
        withPlugin(definition, healthy, async (checker) => {
          await startPlugin(checker);
          for (let count = 0; count < 3; count += 1) await checkOnce(checker);
        }),
    },
    {
      title: `${label}: concurrent checks of a healthy component succeed`,
      run: () =>
        withPlugin(definition, healthy, async (checker) => {
          await startPlugin(checker);
          const check = async (): Promise<void> => checker.check(new AbortController().signal);
          await inTime('the checks', Promise.all([check(), check(), check()]));
        }),
    },
    {
      title: `${label}: a check of an unhealthy component fails with a one-line reason`,
      run: () => withPlugin(definition, unhealthy, reasonCase),
    },
    {
      title: `${label}: the events that the checker emits are within the limits`,
      async run() {
        await withPlugin(definition, healthy, eventsCase);
        await withPlugin(definition, unhealthy, eventsCase);
      },
    },
    {
      title: `${label}: a check ends when its signal is aborted`,
      run: () =>
        withPlugin(definition, unhealthy, async (checker) => {
          await startPlugin(checker);
          const abort = new AbortController();
          const ended = (async () => checker.check(abort.signal))().catch(() => undefined);
          abort.abort();
          await inTime('the aborted check', ended);
        }),
    },
  ]);
}

const checkOnce = (checker: HealthChecker): Promise<void> =>
  inTime('check', (async () => checker.check(new AbortController().signal))());

async function reasonCase(checker: HealthChecker): Promise<void> {
  await startPlugin(checker);
  const failure = await failureOf(() => checkOnce(checker));
  assert.notEqual(failure, undefined, 'the check must reject');
  checkReason(failure);
}

/** Runs several checks and checks all emitted events: the limits are for one minute. */
async function eventsCase(
  checker: HealthChecker,
  { emitted }: { readonly emitted: readonly CheckerEvent[] },
): Promise<void> {
  await startPlugin(checker);
  for (let count = 0; count < 3; count += 1) await failureOf(() => checkOnce(checker));
  assert.ok(
    emitted.length <= MAX_CHECKER_EVENTS,
    `a checker must not emit more than ${MAX_CHECKER_EVENTS} events in a minute`,
  );
  for (const event of emitted)
    assert.deepEqual({ component: '', id: '', fields: {}, ...event }, limitedEvent(event));
}
