// The cases that all kinds of plugins have in common.

import assert from 'node:assert/strict';
import { definitionProblem } from '../contract/definition.js';
import { reasonOf } from '../contract/errors.js';
import type { OptionSchema, OptionValues } from '../contract/plugin.js';
import type { Lifecycle } from '../contract/lifecycle.js';
import type { PluginDefinition, PluginKind, PluginsByKind } from '../contract/plugin.js';
import { inTime, needed, SuiteFault, type ContractCase, type Fixture } from './case.js';
import { createTestContext, type TestContext } from './context.js';
import { fixtureProblem } from './fixture-options.js';
import { observe } from './observe.js';

/** Creates the fixture of a case. */
export type CreateFixture<Schema extends OptionSchema> = () =>
  | Fixture<OptionValues<Schema>>
  | Promise<Fixture<OptionValues<Schema>>>;

/** Used in place of a fixture if the transport does not report a missing receiver, such as UDP to another host. */
export type Undetectable = 'undetectable';

/** Creates and initialises a plugin, runs work with it, then stops it and releases the fixture. */
export async function withPlugin<Kind extends PluginKind, Schema extends OptionSchema>(
  definition: PluginDefinition<Kind, Schema>,
  createFixture: NoInfer<CreateFixture<Schema>>,
  work: (plugin: PluginsByKind[Kind], test: TestContext<Kind, Schema>) => Promise<void>,
): Promise<void> {
  const { options, release } = await createFixture();
  const context = createTestContext(definition, options);
  let plugin: PluginsByKind[Kind] | undefined;
  try {
    plugin = await needed('create', () => definition.create(context.context));
    await needed('init', () => plugin?.init?.());
    await work(plugin, context);
  } finally {
    await inTime('stop', plugin?.stop?.());
    await release?.();
  }
}

/** Starts a plugin for the first time. */
export const startPlugin = (plugin: Lifecycle): Promise<void> => needed('start', () => start(plugin));

const start = async (plugin: Lifecycle): Promise<void> => plugin.start?.(new AbortController().signal);

function checkNeeded(problem: string | undefined): void {
  if (problem !== undefined) throw new SuiteFault(problem);
}

/** Maximum CPU time of a plugin in one turn of the event loop, in milliseconds. */
const MAX_TURN = 500;

/**
 * The cases for plugins of all kinds.
 *
 * @param use makes the call that the agent repeats: a check, a reading, a flush
 */
export function lifecycleCases<Kind extends PluginKind, Schema extends OptionSchema>(
  definition: PluginDefinition<Kind, Schema>,
  createFixture: NoInfer<CreateFixture<Schema>>,
  use: (plugin: PluginsByKind[Kind], signal: AbortSignal) => unknown,
): ContractCase[] {
  const label = `${definition.kind} plugin ${definition.name}`;
  const withUsed = (isAborted: boolean): Promise<void> =>
    withPlugin(definition, createFixture, async (plugin) => {
      await startPlugin(plugin);
      const abort = new AbortController();
      const used = (async () => use(plugin, abort.signal))().catch(() => undefined);
      if (isAborted) abort.abort(new Error('the suite aborts the call'));
      await inTime('the call', used);
    });
  return [
    {
      title: `${label}: the definition is valid`,
      run: async () => checkNeeded(definitionProblem(definition)),
    },
    {
      title: `${label}: the options of the fixture are valid`,
      async run() {
        const { options, release } = await createFixture();
        await release?.();
        checkNeeded(fixtureProblem(definition.options, options));
      },
    },
    {
      title: `${label}: stop can be called twice`,
      run: () =>
        withPlugin(definition, createFixture, async (plugin) => {
          await startPlugin(plugin);
          await inTime('stop', plugin.stop?.());
          await inTime('the second stop', plugin.stop?.());
        }),
    },
    {
      title: `${label}: stop can be called before start`,
      run: () => withPlugin(definition, createFixture, async (plugin) => inTime('stop', plugin.stop?.())),
    },
    {
      title: `${label}: start can be called again after stop, as onStartError: retry does`,
      run: () =>
        withPlugin(definition, createFixture, async (plugin) => {
          await startPlugin(plugin);
          await inTime('stop', plugin.stop?.());
          await inTime('the second start', start(plugin));
        }),
    },
    {
      title: `${label}: stop leaves no timer that keeps the process alive`,
      async run() {
        const { options, release } = await createFixture();
        try {
          const { timers } = await observe(async () => {
            const { context } = createTestContext(definition, options);
            const plugin: PluginsByKind[Kind] = await needed('create', () => definition.create(context));
            await needed('init', () => plugin.init?.());
            await startPlugin(plugin);
            await inTime('stop', plugin.stop?.());
          });
          assert.equal(timers, 0, 'stop must clear all timers');
        } finally {
          await release?.();
        }
      },
    },
    {
      title: `${label}: a call does not block the event loop`,
      async run() {
        const { longestTurn } = await observe(() => withUsed(false));
        assert.ok(longestTurn < MAX_TURN, `it used ${longestTurn} ms of CPU time at a time`);
      },
    },
    {
      title: `${label}: no promise rejects without a handler, also after a call that is aborted`,
      async run() {
        const { rejections } = await observe(async () => {
          await withUsed(false);
          await withUsed(true);
        });
        assert.deepEqual(rejections.map(reasonOf), [], 'every promise must have a handler');
      },
    },
    {
      title: `${label}: stopping one instance does not affect another`,
      run: () =>
        withPlugin(definition, createFixture, (first) =>
          withPlugin(definition, createFixture, async (second) => {
            assert.notEqual(first, second);
            await startPlugin(first);
            await inTime('stop', first.stop?.());
            await inTime('the start of the other', start(second));
          }),
        ),
    },
  ];
}
