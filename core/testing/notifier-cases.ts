// The contract suite of notifiers.

import assert from 'node:assert/strict';
import { errorCodeOf, reasonOf } from '../contract/errors.js';
import type { Notification, Notifier } from '../contract/notifier.js';
import type { OptionSchema } from '../contract/plugin.js';
import type { PluginDefinition } from '../contract/plugin.js';
import { checkReason, failureOf, inTime, untilFault, type ContractCase } from './case.js';
import { recordDelivery, type DeliveryRecord } from './delivery-record.js';
import { EVENT } from './event.js';
import {
  lifecycleCases,
  startPlugin,
  withPlugin,
  type CreateFixture,
  type Undetectable,
} from './common-cases.js';

/** The fixtures for the suite of a notifier. */
export interface NotifierFixtures<Schema extends OptionSchema> {
  /** With a receiver that accepts everything. */
  readonly accepting: CreateFixture<Schema>;
  /** With a receiver that cannot be reached; the notifier itself starts. */
  readonly unreachable: CreateFixture<Schema> | Undetectable;
  /** With a receiver that refuses every event; undefined if receivers of this notifier never refuse events. */
  readonly refusing?: CreateFixture<Schema>;
}

/** The contract suite of notifiers. */
export function notifierCases<Schema extends OptionSchema>(
  definition: PluginDefinition<'notifier', Schema>,
  { accepting, unreachable, refusing }: NoInfer<NotifierFixtures<Schema>>,
): ContractCase[] {
  const label = `notifier plugin ${definition.name}`;
  const started =
    (fixture: CreateFixture<Schema>, work: (notifier: Notifier) => Promise<void>) => (): Promise<void> =>
      withPlugin(definition, fixture, async (notifier) => {
        await startPlugin(notifier);
        await work(notifier);
      });
  return untilFault([
    ...lifecycleCases(definition, accepting, (notifier, signal) =>
      notifier.notify({ cause: 'change', agent: 'host1', events: [EVENT] }, signal, recordDelivery().report),
    ),
    { title: `${label}: every state and cause is delivered`, run: started(accepting, statesCase) },
    { title: `${label}: unusual text is delivered`, run: started(accepting, textCase) },
    ...(unreachable === 'undetectable'
      ? []
      : [
          {
            title: `${label}: a notification that cannot be delivered fails with a one-line reason`,
            run: started(unreachable, reasonCase),
          },
        ]),
    {
      title: `${label}: a call ends when its signal is aborted`,
      run: started(unreachable === 'undetectable' ? accepting : unreachable, abortCase),
    },
    ...(refusing === undefined
      ? []
      : [{ title: `${label}: it reports which events are refused`, run: started(refusing, refusalCase) }]),
  ]);
}

/** @returns the reported outcomes, and the error of the call if it failed */
async function outcomeOf(
  notifier: Notifier,
  notification: Notification,
): Promise<Pick<DeliveryRecord, 'outcomes'> & { readonly failure: unknown }> {
  const { report, outcomes } = recordDelivery();
  const notified = async (): Promise<void> =>
    notifier.notify(notification, new AbortController().signal, report);
  const failure = await failureOf(() => inTime('notify', notified()));
  const reported = outcomes.map(({ event }) => event);
  assert.ok(
    reported.every((event) => notification.events.includes(event)),
    'only objects of `events` can be reported',
  );
  assert.equal(new Set(reported).size, reported.length, 'an event must be reported once');
  return { outcomes, failure };
}

async function notify(notifier: Notifier, notification: Notification): Promise<void> {
  const { outcomes, failure } = await outcomeOf(notifier, notification);
  assert.equal(failure, undefined, `notify must resolve: ${reasonOf(failure)}`);
  assert.ok(!outcomes.some(({ outcome }) => outcome === 'refused'), 'no event must be refused');
}

async function statesCase(notifier: Notifier): Promise<void> {
  for (const state of ['failed', 'warning', 'recovered', 'info'] as const)
    await notify(notifier, { cause: 'change', agent: 'host1', events: [{ ...EVENT, state }] });
  await notify(notifier, {
    cause: 'reminder',
    agent: 'host1',
    events: [EVENT, { ...EVENT, id: 'x', component: 'x' }],
  });
}

async function textCase(notifier: Notifier): Promise<void> {
  const text = '<!channel> "a" \\ `b` {{events}} \u0000\u001b[31m\u202e\ud800\n${HOME}';
  const { node: _node, runbook: _runbook, ...event } = EVENT;
  await notify(notifier, {
    cause: 'change',
    agent: 'host1',
    events: [{ ...event, component: text, reason: text }],
  });
}

async function reasonCase(notifier: Notifier): Promise<void> {
  const { outcomes, failure } = await outcomeOf(notifier, {
    cause: 'change',
    agent: 'host1',
    events: [EVENT],
  });
  assert.notEqual(failure, undefined, 'notify must reject');
  checkReason(failure);
  assert.deepEqual(outcomes, [], 'no outcome is known');
}

async function refusalCase(notifier: Notifier): Promise<void> {
  const events = [EVENT, { ...EVENT, id: 'x', component: 'x' }];
  const { outcomes, failure } = await outcomeOf(notifier, { cause: 'change', agent: 'host1', events });
  if (errorCodeOf(failure) === 'NOTIFICATION_REFUSED') checkReason(failure);
  else assert.equal(failure, undefined, 'the error must have the code NOTIFICATION_REFUSED');
  assert.ok(
    outcomes.every(({ outcome }) => outcome === 'refused'),
    'every event must be refused',
  );
  for (const { error } of outcomes) checkReason(error);
  assert.ok(failure !== undefined || outcomes.length === events.length, 'every refusal must be reported');
}

async function abortCase(notifier: Notifier): Promise<void> {
  const abort = new AbortController();
  const { report } = recordDelivery();
  const notification = { cause: 'change', agent: 'host1', events: [EVENT] } as const;
  const ended = (async () => notifier.notify(notification, abort.signal, report))().catch(() => undefined);
  abort.abort();
  await inTime('the aborted call', ended);
}
