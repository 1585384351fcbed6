// What connects a checker to the agent: its component, and the end of its facts.

import test from 'ava';
import type { HealthChecker } from '../../../core/contract/index.js';
import type { CheckOptions } from '../../../core/health/component.js';
import { attachChecker } from '../../../core/health/index.js';
import type { PluginInstance } from '../../../core/host/index.js';

/** A checker `disk`, attached to a registry that records its components. */
function attached(checker: HealthChecker, { isDisabled = false, isRunning = true } = {}) {
  const registered = new Map<
    string,
    { check: (signal: AbortSignal) => unknown; options: CheckOptions | undefined }
  >();
  const stops: string[] = [];
  const instance = {
    name: 'disk',
    isDisabled,
    plugin: checker,
    requireRunning: () => {
      if (!isRunning) throw new Error('not started: no disk');
    },
  } as unknown as PluginInstance<HealthChecker>;
  const health = {
    components: [],
    run: () => Promise.reject(new Error('not used')),
    register: (component: string, check: (signal: AbortSignal) => unknown, options?: CheckOptions) => {
      registered.set(component, { check, options });
      return () => void registered.delete(component);
    },
  };
  const attachment = attachChecker(instance, health, () => stops.push([...registered.keys()].join()));
  return { attachment, registered, stops };
}

test('a checker that has started is a component until it stops; then its facts end', async (t) => {
  const { attachment, registered, stops } = attached({ check: () => undefined, onTimeout: 'warning' });
  t.is(registered.size, 0);
  attachment.onStarted();
  t.deepEqual([...registered.keys()], ['disk']);
  t.deepEqual(registered.get('disk')?.options, { onTimeout: 'warning' });
  t.deepEqual(stops, []);
  await attachment.beforeStop();
  t.deepEqual([registered.size, stops], [0, ['']]);
});

test('a checker that is disabled is no component', (t) => {
  const { attachment, registered } = attached({ check: () => undefined }, { isDisabled: true });
  attachment.onStarted();
  t.is(registered.size, 0);
});

test('while the plugin does not run, its component fails with the reason, and its check is not called', (t) => {
  const { attachment, registered } = attached({ check: () => t.fail() }, { isRunning: false });
  attachment.onStarted();
  const { signal } = new AbortController();
  t.throws(() => registered.get('disk')?.check(signal), { message: 'not started: no disk' });
});
