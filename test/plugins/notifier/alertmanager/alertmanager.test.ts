import test, { type ExecutionContext } from 'ava';
import type { AgentEvent, Notification, Notifier, OptionValues } from '../../../../core/contract/index.js';
import { errorCodeOf } from '../../../../core/contract/errors.js';
import { checkOptions } from '../../../../core/host/load.js';
import { createTestContext, recordDelivery } from '../../../../core/testing/index.js';
import alertmanager from '../../../../plugins/notifier/alertmanager/index.js';
import type { Alert } from '../../../../plugins/notifier/alertmanager/alerts.js';
import { declaration } from '../../../helpers/agent.js';
import { freePort } from '../../../helpers/free-port.js';
import { alertmanagerOptions } from '../../../helpers/notifier-options.js';
import { startReceiver, type Receiver } from '../../../helpers/receiver.js';
import { stopClock } from '../../../helpers/clock.js';

const EVENT: AgentEvent = {
  id: 'peer0/disk',
  state: 'failed',
  severity: 'critical',
  node: 'peer0',
  component: 'peer0/disk',
  reason: 'full',
  since: Date.UTC(2026, 0, 2, 3, 4, 5),
  runbook: 'FabricHealthCheckFailing',
  fields: {},
};
const WARNING = {
  ...EVENT,
  state: 'warning',
  severity: 'warning',
  runbook: 'FabricHealthCheckWarning',
} as const;
const RECOVERED = { ...EVENT, state: 'recovered' } as const;

function create(
  t: ExecutionContext,
  options: Partial<OptionValues<typeof alertmanager.options>>,
): { notifier: Notifier; logged: readonly { readonly message: string }[] } {
  const { context, logged } = createTestContext(alertmanager, alertmanagerOptions(options));
  const notifier = alertmanager.create(context);
  t.teardown(() => notifier.stop?.());
  return { notifier, logged };
}

const notify = async (notifier: Notifier, ...events: readonly AgentEvent[]): Promise<void> =>
  notifier.notify(
    { cause: 'change', agent: 'host1', events },
    new AbortController().signal,
    recordDelivery().report,
  );

/** The alerts of the last request, with how long they hold, in seconds; 0: they have ended. */
function lastAlerts({ received }: Receiver): [name: string, holds: number][] {
  return (received.at(-1)!.document as readonly Alert[]).map(({ labels, endsAt }) => [
    labels['alertname'] ?? '',
    Math.max(0, Math.round((Date.parse(endsAt) - Date.now()) / 1000)),
  ]);
}

test.serial(
  'a failure is an alert with the names of the rules, which holds for four reminders',
  async (t) => {
    stopClock(t);
    const receiver = await startReceiver(t);
    const options = {
      urls: [`${receiver.url}/alertmanager/`],
      labels: { cluster: 'org1' },
      runbook: 'https://d/r',
    };
    const { notifier } = create(t, options);
    await notify(notifier, EVENT);
    const [{ url, document } = { url: '', document: [] }] = receiver.received;
    t.is(url, '/alertmanager/api/v2/alerts');
    t.deepEqual(
      (document as readonly Alert[]).map(({ endsAt: _endsAt, ...alert }) => alert),
      [
        {
          labels: {
            cluster: 'org1',
            alertname: 'FabricHealthCheckFailing',
            severity: 'critical',
            instance: 'host1',
            component: 'peer0/disk',
            node: 'peer0',
          },
          annotations: {
            summary: 'peer0/disk: full',
            description: 'full',
            reason: 'peer0/disk: full',
            runbook_url: 'https://d/r#fabrichealthcheckfailing',
          },
          startsAt: '2026-01-02T03:04:05.000Z',
        },
      ],
    );
    t.deepEqual(lastAlerts(receiver), [['FabricHealthCheckFailing', 240]]);
  },
);

test.serial('a recovery ends the alert, and another severity is another alert', async (t) => {
  stopClock(t);
  const receiver = await startReceiver(t);
  const { notifier } = create(t, { urls: [receiver.url] });
  await notify(notifier, EVENT);
  await notify(notifier, WARNING);
  t.deepEqual(lastAlerts(receiver), [
    ['FabricHealthCheckFailing', 0],
    ['FabricHealthCheckWarning', 240],
  ]);
  await notify(notifier, RECOVERED);
  t.deepEqual(lastAlerts(receiver), [['FabricHealthCheckWarning', 0]]);
});

test('a failure that has recovered before it was sent is no alert', async (t) => {
  const receiver = await startReceiver(t);
  const { notifier } = create(t, { urls: [receiver.url] });
  await notify(notifier, EVENT, RECOVERED);
  t.is(receiver.received.length, 0);
});

test.serial('a recovery that was not accepted is sent again', async (t) => {
  stopClock(t);
  const receiver = await startReceiver(t);
  const { notifier } = create(t, { urls: [receiver.url] });
  await notify(notifier, EVENT);
  receiver.respond(503);
  await t.throwsAsync(notify(notifier, RECOVERED));
  receiver.respond(200);
  await notify(notifier, RECOVERED);
  t.deepEqual(lastAlerts(receiver), [['FabricHealthCheckFailing', 0]]);
});

test.serial('the heartbeat is a separate alert, without a component', async (t) => {
  stopClock(t);
  const receiver = await startReceiver(t);
  const { notifier } = create(t, { urls: [receiver.url], heartbeat: 10_000 });
  const heartbeat: Notification = {
    cause: 'heartbeat',
    agent: 'host1',
    events: [
      {
        id: 'heartbeat',
        state: 'info',
        severity: 'info',
        component: 'heartbeat',
        reason: 'r',
        since: 0,
        fields: {},
      },
    ],
  };
  await notifier.notify(heartbeat, new AbortController().signal, recordDelivery().report);
  t.deepEqual(lastAlerts(receiver), [['FabricOpsAgentHeartbeat', 40]]);
  const [alert] = receiver.received[0]!.document as readonly Alert[];
  t.deepEqual(alert?.labels, { alertname: 'FabricOpsAgentHeartbeat', severity: 'none', instance: 'host1' });
});

test('two events of a checker about one component are two alerts', async (t) => {
  const receiver = await startReceiver(t);
  const { notifier } = create(t, { urls: [receiver.url] });
  const { runbook: _runbook, ...event } = EVENT;
  const emitted = { ...event, state: 'info', severity: 'info' } as const;
  await notify(notifier, { ...emitted, id: 'peer0/disk#1' }, { ...emitted, id: 'peer0/disk#2' });
  t.deepEqual(
    (receiver.received[0]!.document as readonly Alert[]).map(({ labels }) => [
      labels['alertname'],
      labels['severity'],
      labels['event'],
    ]),
    [
      ['FabricOpsAgentEvent', 'info', 'peer0/disk#1'],
      ['FabricOpsAgentEvent', 'info', 'peer0/disk#2'],
    ],
  );
});

test('one of two Alertmanagers is enough, and the failure of the other is logged once', async (t) => {
  const receiver = await startReceiver(t);
  const other = `http://127.0.0.1:${await freePort()}`;
  const { notifier, logged } = create(t, { urls: [other, receiver.url] });
  await notify(notifier, EVENT);
  await notify(notifier, RECOVERED);
  t.is(receiver.received.length, 2);
  t.deepEqual(
    logged.map(({ message }) => message),
    [`only other Alertmanagers accepted the alerts: POST ${other}: connection refused`],
  );
});

test('a failure of one Alertmanager is logged again after it accepted alerts in between', async (t) => {
  const [receiver, other] = [await startReceiver(t), await startReceiver(t)];
  const { notifier, logged } = create(t, { urls: [other.url, receiver.url] });
  for (const [status, failures] of [
    [503, 1],
    [503, 1],
    [200, 1],
    [503, 2],
  ] as const) {
    other.respond(status);
    await notify(notifier, EVENT);
    t.is(logged.length, failures);
  }
});

test('events that need no alert are reported as omitted', async (t) => {
  const receiver = await startReceiver(t);
  const { notifier } = create(t, { urls: [receiver.url] });
  const { report, outcomes } = recordDelivery();
  const events = [EVENT, RECOVERED];
  await notifier.notify({ cause: 'change', agent: 'host1', events }, new AbortController().signal, report);
  t.deepEqual(
    outcomes.map(({ outcome, event }) => `${outcome} ${event.state}`),
    ['omitted failed', 'omitted recovered'],
  );
});

test('a failure without a name of a rule is an alert of its own name, and the labels of the agent override those of the options', async (t) => {
  const receiver = await startReceiver(t);
  const { notifier } = create(t, { urls: [receiver.url], labels: { event: 'x' } });
  const { runbook: _runbook, node: _node, ...event } = EVENT;
  await notify(notifier, event);
  const [alert] = receiver.received[0]!.document as readonly Alert[];
  t.deepEqual(alert?.labels, {
    event: 'x',
    alertname: 'FabricHealthCheckFailing',
    severity: 'critical',
    instance: 'host1',
    component: 'peer0/disk',
  });
  t.deepEqual(alert?.annotations, {
    summary: 'peer0/disk: full',
    description: 'full',
    reason: 'peer0/disk: full',
  });
});

test('alerts are refused only when no Alertmanager may accept them later', async (t) => {
  const [refusing, failing] = [await startReceiver(t), await startReceiver(t)];
  refusing.respond(400);
  failing.respond(500);
  const errors = await Promise.all(
    [[refusing.url], [refusing.url, failing.url]].map((urls) =>
      t.throwsAsync(notify(create(t, { urls }).notifier, EVENT)),
    ),
  );
  t.deepEqual(errors.map(errorCodeOf), ['NOTIFICATION_REFUSED', undefined]);
});

for (const [status, isEnded] of [
  [503, false],
  [500, true],
] as const)
  test(`a failure that was sent with the outcome ${status} and is over then is ${isEnded ? 'ended' : 'not sent'}`, async (t) => {
    const receiver = await startReceiver(t);
    const { notifier } = create(t, { urls: [receiver.url] });
    receiver.respond(status);
    await t.throwsAsync(notify(notifier, EVENT));
    receiver.respond(200);
    await notify(notifier, RECOVERED);
    // Only what it accepted is recorded.
    t.is(receiver.received.length, isEnded ? 1 : 0);
    if (isEnded) t.deepEqual(lastAlerts(receiver), [['FabricHealthCheckFailing', 0]]);
  });

test('after an unclear change of the severity both alerts end', async (t) => {
  const receiver = await startReceiver(t);
  const { notifier } = create(t, { urls: [receiver.url] });
  await notify(notifier, WARNING);
  receiver.respond(500);
  await t.throwsAsync(notify(notifier, EVENT));
  receiver.respond(200);
  await notify(notifier, RECOVERED);
  t.deepEqual(lastAlerts(receiver), [
    ['FabricHealthCheckWarning', 0],
    ['FabricHealthCheckFailing', 0],
  ]);
});

test('a restart of a node that still fails does not end its alert', async (t) => {
  const receiver = await startReceiver(t);
  const { notifier } = create(t, { urls: [receiver.url] });
  const restart = { ...EVENT, state: 'info', severity: 'info', runbook: 'FabricNodeRestarts' } as const;
  await notify(notifier, EVENT, restart);
  t.deepEqual(
    lastAlerts(receiver).map(([name]) => name),
    ['FabricNodeRestarts', 'FabricHealthCheckFailing'],
  );
});

for (const [statuses, code] of [
  [[503, 503], 'NOTIFICATION_NOT_ACCEPTED'],
  [[400, 503], 'NOTIFICATION_NOT_ACCEPTED'],
  [[503, 500], undefined],
] as const)
  test(`Alertmanagers with the statuses ${statuses.join(' and ')}: the code is ${code}`, async (t) => {
    const urls = await Promise.all(
      statuses.map(async (status) => {
        const receiver = await startReceiver(t);
        receiver.respond(status);
        return receiver.url;
      }),
    );
    t.is(errorCodeOf(await t.throwsAsync(notify(create(t, { urls }).notifier, EVENT))), code);
  });

test('reminders cannot be switched off', (t) => {
  const { notifier } = create(t, { urls: ['http://127.0.0.1:1'], repeat: 0 });
  t.throws(() => notifier.init?.(), {
    message: 'options.repeat: must be longer than 0s, because alerts that are not renewed end',
  });
});

for (const option of ['cert', 'key'])
  test(`the option ${option} alone is refused`, (t) => {
    const { notifier } = create(t, { urls: ['http://127.0.0.1:1'], [option]: '/file.pem' });
    t.throws(() => notifier.init?.(), { message: 'options.cert and options.key must be set together' });
  });

const URLS =
  'must be a list of URLs that begin with http:// or https://, without user name, query and fragment';
for (const [option, value, problem] of [
  ['urls', ['http://127.0.0.1:9093', 'https://am/prefix'], undefined],
  ['urls', [], URLS],
  ['urls', 'http://127.0.0.1:9093', URLS],
  ['urls', ['http://127.0.0.1:9093', 'am:9093'], URLS],
  ['urls', ['http://am/?a=b'], URLS],
  ['labels', { cluster: 'org1', _a9: '' }, undefined],
  ['labels', { '9a': 'b' }, 'must be a mapping of label names to strings'],
  ['labels', { a: 1 }, 'must be a mapping of label names to strings'],
  ['labels', ['a'], 'must be a mapping of label names to strings'],
  ['labels', 'a', 'must be a mapping of label names to strings'],
  ['labels', { cluster: 'a', severity: 'b' }, 'must not contain the label severity'],
  ['labels', { node: 'b' }, 'must not contain the label node'],
] as const)
  test(`${option} ${JSON.stringify(value)} is ${problem === undefined ? 'valid' : `refused: ${problem}`}`, (t) => {
    const { problems } = checkOptions(
      alertmanager,
      declaration({ plugin: 'alertmanager', options: { [option]: value } }),
    );
    t.is(problems.length, problem === undefined ? 0 : 1);
    if (problem !== undefined)
      t.true(
        problems[0]?.startsWith(
          `test.yaml:1: plugins[0]: plugin alertmanager: options.${option}: ${problem}: value was `,
        ),
        problems[0],
      );
  });

test('by default alerts are renewed each minute, one second after a change', (t) => {
  const { options } = checkOptions(alertmanager, declaration({ plugin: 'alertmanager' }));
  t.like(options, { urls: ['http://127.0.0.1:9093'], groupFor: 1000, repeat: 60_000, heartbeat: 0 });
});

test('alerts of two agents about one channel have the same labels, alerts about a node have not', async (t) => {
  const receiver = await startReceiver(t);
  const labelsOf = async (agent: string, event: AgentEvent): Promise<Alert['labels'] | undefined> => {
    const { notifier } = create(t, { urls: [receiver.url], agent });
    await notify(notifier, event);
    return (receiver.received.at(-1)!.document as readonly Alert[])[0]?.labels;
  };
  const component = 'channels/ch1';
  const { node: _node, ...event } = EVENT;
  const stopped = { ...event, id: component, component, runbook: 'FabricChannelStopped' };
  t.deepEqual(await labelsOf('host1', stopped), {
    alertname: 'FabricChannelStopped',
    severity: 'critical',
    channel: 'ch1',
    component,
  });
  t.deepEqual(await labelsOf('host2', stopped), await labelsOf('host1', stopped));
  const { runbook: _runbook, ...info } = {
    ...stopped,
    state: 'info',
    severity: 'info',
    reason: 'o2 is the leader',
  } as const;
  t.deepEqual(await labelsOf('host1', { ...info, id: `${component}#1-1` }), {
    alertname: 'FabricOpsAgentEvent',
    severity: 'info',
    channel: 'ch1',
    component,
    event: 'o2 is the leader',
  });
  t.deepEqual(
    await labelsOf('host2', { ...info, id: `${component}#2-7` }),
    await labelsOf('host1', { ...info, id: `${component}#1-1` }),
  );
  t.is((await labelsOf('host2', EVENT))?.['instance'], 'host2');
});
