import assert from 'node:assert/strict';
import { MAX_REASON_LENGTH, reasonOf } from '../errors.js';
import type { Notification, Notifier } from '../notifier.js';
import type { OptionSchema } from '../options.js';
import type { PluginDefinition } from '../plugin.js';
import { inTime, type ContractCase } from './case.js';
import { EVENT } from './event.js';
import { lifecycleCases, startPlugin, withPlugin, type CreateFixture } from './common-cases.js';

/** The fixtures that the suite of a notifier needs. */
export interface NotifierFixtures<Schema extends OptionSchema> {
  /** With a receiver that accepts everything. */
  readonly accepting: CreateFixture<Schema>;
  /** With a receiver that cannot be reached; the notifier itself starts. */
  readonly unreachable: CreateFixture<Schema>;
}

/** The contract suite of notifiers. */
export function notifierCases<Schema extends OptionSchema>(
  definition: PluginDefinition<'notifier', Schema>,
  { accepting, unreachable }: NoInfer<NotifierFixtures<Schema>>,
): ContractCase[] {
  const label = `notifier plugin ${definition.name}`;
  const started =
    (fixture: CreateFixture<Schema>, work: (notifier: Notifier) => Promise<void>) => (): Promise<void> =>
      withPlugin(definition, fixture, async (notifier) => {
        await startPlugin(notifier);
        await work(notifier);
      });
  return [
    ...lifecycleCases(definition, accepting),
    { title: `${label}: every state and cause is delivered`, run: started(accepting, statesCase) },
    { title: `${label}: unusual text is delivered`, run: started(accepting, textCase) },
    {
      title: `${label}: a notification that cannot be delivered fails with a one-line reason`,
      run: started(unreachable, reasonCase),
    },
    { title: `${label}: a call ends when its signal is aborted`, run: started(unreachable, abortCase) },
  ];
}

const notify = async (notifier: Notifier, notification: Notification): Promise<void> =>
  inTime('notify', notifier.notify(notification, new AbortController().signal));

async function statesCase(notifier: Notifier): Promise<void> {
  for (const state of ['failed', 'warning', 'recovered', 'info'] as const)
    await notify(notifier, { cause: 'change', events: [{ ...EVENT, state }] });
  await notify(notifier, { cause: 'reminder', events: [EVENT, { ...EVENT, id: 'x', component: 'x' }] });
}

async function textCase(notifier: Notifier): Promise<void> {
  const text = '<!channel> "a" \\ `b` {{events}} \u0000\u001b[31m\u202e\ud800\n${HOME}';
  const { node: _node, runbook: _runbook, ...event } = EVENT;
  await notify(notifier, { cause: 'change', events: [{ ...event, component: text, reason: text }] });
}

async function reasonCase(notifier: Notifier): Promise<void> {
  const failure = await notify(notifier, { cause: 'change', events: [EVENT] }).then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.ok(failure instanceof Error, 'notify must reject with an Error');
  assert.match(reasonOf(failure), /^[^\n]+$/, 'the reason must be one line');
  assert.ok(
    reasonOf(failure).length <= MAX_REASON_LENGTH,
    'the reason must not be longer than 2048 characters',
  );
}

async function abortCase(notifier: Notifier): Promise<void> {
  const abort = new AbortController();
  const ended = (async () => notifier.notify({ cause: 'change', events: [EVENT] }, abort.signal))().catch(
    () => undefined,
  );
  abort.abort();
  await inTime('the aborted call', ended);
}
