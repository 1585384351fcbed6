// The suites must also catch plugins that break the contract: each of these breaks it in one way.

import test from 'ava';
import {
  defineHealthChecker,
  defineLoggingBackend,
  defineMetricSink,
  LeveledLoggers,
  type PushSink,
} from '../../../core/contract/index.js';
import {
  healthCheckerCases,
  loggingBackendCases,
  pullSinkCases,
  pushSinkCases,
  type ContractCase,
} from '../../../core/contract/testing/index.js';

const none = (): { options: Record<never, never> } => ({ options: {} });

/** The titles of the cases that a plugin does not keep, without the name of the plugin. */
async function brokenCases(cases: readonly ContractCase[]): Promise<string[]> {
  const outcomes = await Promise.allSettled(cases.map(({ run }) => run()));
  return cases
    .filter((_, index) => outcomes[index]?.status === 'rejected')
    .map(({ title }) => title.replace(/^.*?: /, ''));
}

test('a checker that is never unhealthy breaks the suite', async (t) => {
  const checker = defineHealthChecker({ name: 'blind', check: () => undefined });
  t.deepEqual(await brokenCases(healthCheckerCases(checker, { healthy: none, unhealthy: none })), [
    'a check of an unhealthy component fails with a reason of one line',
  ]);
});

test('a checker that is always unhealthy breaks the suite', async (t) => {
  const checker = defineHealthChecker({
    name: 'gloomy',
    check() {
      throw new Error('never well');
    },
  });
  t.deepEqual(await brokenCases(healthCheckerCases(checker, { healthy: none, unhealthy: none })), [
    'a check of a healthy component succeeds, again and again',
    'checks of a healthy component can run side by side',
  ]);
});

test('a checker that ignores the signal breaks the suite', async (t) => {
  const checker = defineHealthChecker({ name: 'deaf', check: () => new Promise<void>(() => undefined) });
  t.true(
    (await brokenCases(healthCheckerCases(checker, { healthy: none, unhealthy: none }))).includes(
      'a check comes to an end once its signal is aborted',
    ),
  );
});

test('a plugin that cannot be stopped twice breaks the suite', async (t) => {
  const sink = defineMetricSink({
    name: 'once',
    create({ reader }) {
      let stopped = false;
      return {
        route: {
          path: '/once',
          async handle() {
            const names: string[] = [];
            for await (const { name } of reader.families()) names.push(name);
            return { headers: { 'Content-Type': 'text/plain' }, body: names.join() };
          },
        },
        stop() {
          if (stopped) throw new Error('stopped already');
          stopped = true;
        },
      };
    },
  });
  t.true((await brokenCases(pullSinkCases(sink, none))).includes('stopping it twice is safe'));
});

test('a push sink that trips over an odd batch breaks the suite', async (t) => {
  const sink = defineMetricSink({
    name: 'brittle',
    create: (): PushSink => ({
      push: {
        interval: 1000,
        async flush({ counters }) {
          if (counters.some(({ labels }) => labels['label'] === '\0')) throw new Error('a NUL');
        },
      },
    }),
  });
  t.deepEqual(await brokenCases(pushSinkCases(sink, none)), [
    'an empty batch and a hostile batch are accepted',
  ]);
});

test('a backend that forgets the loggers it made breaks the suite', async (t) => {
  const backend = defineLoggingBackend({
    name: 'forgetful',
    create() {
      let loggers = new LeveledLoggers({ write: () => undefined });
      return {
        spec: () => loggers.spec(),
        activate(spec) {
          const next = new LeveledLoggers({ write: () => undefined });
          next.activate(spec);
          loggers = next;
        },
        logger: (name) => loggers.logger(name),
      };
    },
  });
  t.deepEqual(await brokenCases(loggingBackendCases(backend, none)), [
    'loggers follow a new specification at once, also those made before',
  ]);
});
