import dns from 'node:dns';
import { createServer } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { stub } from 'sinon';
import type { AgentEvent, Notification, OptionValues } from '../../../../core/contract/index.js';
import { errorCodeOf } from '../../../../core/contract/errors.js';
import { checkOptions } from '../../../../core/host/load.js';
import { createTestContext, recordDelivery } from '../../../../core/testing/index.js';
import webhook from '../../../../plugins/notifier/webhook/index.js';
import { declaration } from '../../../helpers/agent.js';
import { temporaryFolder } from '../../../helpers/folder.js';
import { freePort } from '../../../helpers/free-port.js';
import { webhookOptions } from '../../../helpers/notifier-options.js';
import { startReceiver } from '../../../helpers/receiver.js';

const EVENT: AgentEvent = {
  id: 'peer0/disk',
  state: 'failed',
  severity: 'critical',
  node: 'peer0',
  component: 'peer0/disk',
  reason: 'less than 5% left of <!channel> *x*',
  since: Date.UTC(2026, 0, 2, 3, 4, 5),
  runbook: 'FabricHealthCheckFailing',
  fields: { kind: 'peer' },
};
const CHANGE: Notification = {
  cause: 'change',
  agent: 'host1',
  events: [EVENT, { ...EVENT, id: 'peer0', component: 'peer0', state: 'recovered', reason: 'down\n\u202e' }],
};

/** @returns the outcomes that were reported */
async function notify(
  t: ExecutionContext,
  options: Partial<OptionValues<typeof webhook.options>>,
  notification = CHANGE,
): Promise<string[]> {
  const notifier = webhook.create(createTestContext(webhook, webhookOptions(options)).context);
  t.teardown(() => notifier.stop?.());
  await notifier.init?.();
  await notifier.start?.(new AbortController().signal);
  const { report, outcomes } = recordDelivery();
  await notifier.notify(notification, new AbortController().signal, report);
  return outcomes.map(({ outcome, event }) => `${outcome} ${event.component}`);
}

const FAILED_TITLE = 'peer0/disk: less than 5% left of <!channel> *x*';
const TITLE = `${FAILED_TITLE}, and 1 more`;
const FAILED = [
  'less than 5% left of <!channel> *x*',
  'Critical since 2026-01-02T03:04:05Z, reported by host1',
];
const RECOVERED = [
  '',
  String.raw`peer0: down\n\u202e`,
  String.raw`down\n\u202e`,
  'Ended at 2026-01-02T03:04:05Z, reported by host1',
];

test('the default document has the events for programs, and words for users', async (t) => {
  const { url, received } = await startReceiver(t);
  await notify(
    t,
    { url: `${url}/hook?key=1`, runbook: 'https://docs.example.com/runbook' },
    {
      cause: 'change',
      agent: 'host1',
      events: [EVENT],
    },
  );
  const link = 'https://docs.example.com/runbook#fabrichealthcheckfailing';
  t.deepEqual(received, [
    {
      url: '/hook?key=1',
      authorization: undefined,
      document: {
        agent: 'host1',
        cause: 'change',
        title: FAILED_TITLE,
        text: [...FAILED, link].join('\n'),
        events: [{ ...EVENT, since: '2026-01-02T03:04:05.000Z', agent: 'host1', runbook: link }],
      },
    },
  ]);
});

test('slack: no markup, mention or link of an event is interpreted', async (t) => {
  const { url, received } = await startReceiver(t);
  await notify(t, { url, preset: 'slack' });
  const escaped = [TITLE, ...FAILED, ...RECOVERED].join('\n').replaceAll('<!channel>', '&lt;!channel&gt;');
  t.deepEqual(received[0]?.document, { text: escaped, mrkdwn: false });
});

test('teams: an adaptive card of text runs', async (t) => {
  const { url, received } = await startReceiver(t);
  await notify(t, { url, preset: 'teams' });
  const block = (text: string, run: object = {}): object => ({
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text, ...run }],
  });
  t.deepEqual(received[0]?.document, {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [block(TITLE, { weight: 'Bolder' }), ...[...FAILED, ...RECOVERED].map((line) => block(line))],
        },
      },
    ],
  });
});

test('discord: markdown is escaped, and nobody is mentioned', async (t) => {
  const { url, received } = await startReceiver(t);
  await notify(t, { url, preset: 'discord' }, { cause: 'reminder', agent: 'host1', events: [EVENT] });
  t.deepEqual(received[0]?.document, {
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: String.raw`Reminder\: peer0/disk\: less than 5% left of \<\!channel\> \*x\*`,
        description: String.raw`less than 5% left of \<\!channel\> \*x\*
Critical since 2026\-01\-02T03\:04\:05Z, reported by host1`,
        color: 0xd32f2f,
      },
    ],
  });
});

test('pagerduty: one document for each event, a recovery resolves, a restart is omitted', async (t) => {
  const { url, received } = await startReceiver(t);
  const routingKeyFile = join(temporaryFolder(t, { key: 'R0UT1NG\n' }), 'key');
  const restart = { ...EVENT, state: 'info', severity: 'info' } as const;
  await notify(
    t,
    { url, preset: 'pagerduty', routingKeyFile, runbook: 'https://docs.example.com/r' },
    { cause: 'change', agent: 'host1', events: [EVENT, { ...EVENT, state: 'recovered' }, restart] },
  );
  const document = {
    routing_key: 'R0UT1NG',
    event_action: 'trigger',
    dedup_key: 'host1/peer0/disk',
    payload: {
      summary: 'peer0/disk: less than 5% left of <!channel> *x*',
      source: 'host1',
      severity: 'critical',
      timestamp: '2026-01-02T03:04:05.000Z',
      component: 'peer0/disk',
      group: 'peer0',
      custom_details: {
        reason: 'less than 5% left of <!channel> *x*',
        details: 'less than 5% left of <!channel> *x*',
        kind: 'peer',
      },
    },
    client: 'fabric-ops-agent',
    links: [{ href: 'https://docs.example.com/r#fabrichealthcheckfailing', text: 'Runbook' }],
  };
  t.deepEqual(
    received.map((each) => each.document),
    [document, { ...document, event_action: 'resolve' }],
  );
});

test('pagerduty: a refused event is reported, and the others are sent', async (t) => {
  const { url, received, respondTo } = await startReceiver(t);
  respondTo(({ payload }) => ((payload as { component: string }).component === 'b' ? 400 : 202));
  const routingKeyFile = join(temporaryFolder(t, { key: 'R0UT1NG\n' }), 'key');
  const events = ['a', 'b', 'c'].map((component) => ({ ...EVENT, id: component, component }));
  const outcomes = await notify(
    t,
    { url, preset: 'pagerduty', routingKeyFile },
    {
      cause: 'change',
      agent: 'host1',
      events: [...events, { ...EVENT, state: 'info', component: 'restart' }],
    },
  );
  t.deepEqual(outcomes, ['accepted a', 'refused b', 'accepted c', 'omitted restart']);
  t.is(received.length, 2);
});

test('pagerduty: events that were sent before a failure are reported', async (t) => {
  const { url, respondTo } = await startReceiver(t);
  respondTo(({ payload }) => ((payload as { component: string }).component === 'b' ? 500 : 202));
  const routingKeyFile = join(temporaryFolder(t, { key: 'R0UT1NG\n' }), 'key');
  const events = ['a', 'b', 'c'].map((component) => ({ ...EVENT, id: component, component }));
  const { report, outcomes } = recordDelivery();
  const options = webhookOptions({ url, preset: 'pagerduty', routingKeyFile });
  const notifier = webhook.create(createTestContext(webhook, options).context);
  t.teardown(() => notifier.stop?.());
  await t.throwsAsync(async () =>
    notifier.notify({ cause: 'change', agent: 'host1', events }, new AbortController().signal, report),
  );
  t.deepEqual(
    outcomes.map(({ outcome, event }) => `${outcome} ${event.component}`),
    ['accepted a'],
  );
});

test('a template is filled, also with the list of events', async (t) => {
  const { url, received } = await startReceiver(t);
  const template = join(
    temporaryFolder(t, {
      't.json': '{"msg":"{{ severity }}: {{title}}","n":1,"list":["{{text}}",null],"all":"{{events}}"}',
    }),
    't.json',
  );
  await notify(t, { url, template }, { cause: 'change', agent: 'host1', events: [EVENT] });
  t.deepEqual(received[0]?.document, {
    msg: `critical: ${FAILED_TITLE}`,
    n: 1,
    list: [FAILED.join('\n'), null],
    all: [{ ...EVENT, since: '2026-01-02T03:04:05.000Z', agent: 'host1', runbook: undefined }].map(
      ({ runbook: _runbook, ...event }) => event,
    ),
  });
});

test('the URL and the header Authorization are read for each request', async (t) => {
  const { url, received } = await startReceiver(t);
  const folder = temporaryFolder(t, { url: `${url}/first\n`, token: 'Bearer one\n' });
  const options = { urlFile: join(folder, 'url'), authorizationFile: join(folder, 'token') };
  const notifier = webhook.create(createTestContext(webhook, webhookOptions(options)).context);
  t.teardown(() => notifier.stop?.());
  await notifier.notify(CHANGE, new AbortController().signal, recordDelivery().report);
  writeFileSync(join(folder, 'url'), `${url}/second`);
  writeFileSync(join(folder, 'token'), 'Bearer two');
  await notifier.notify(CHANGE, new AbortController().signal, recordDelivery().report);
  t.deepEqual(
    received.map(({ url: path, authorization }) => `${path} ${authorization}`),
    ['/first Bearer one', '/second Bearer two'],
  );
});

/** The state of events after a failed call, by the code of the error. */
const OUTCOMES = {
  NOTIFICATION_REFUSED: 'dropped',
  NOTIFICATION_NOT_ACCEPTED: 'not accepted',
  unclear: 'perhaps accepted',
} as const;
for (const [status, code] of [
  [300, 'NOTIFICATION_NOT_ACCEPTED'],
  [399, 'NOTIFICATION_NOT_ACCEPTED'],
  [400, 'NOTIFICATION_REFUSED'],
  [401, 'NOTIFICATION_NOT_ACCEPTED'],
  [403, 'NOTIFICATION_NOT_ACCEPTED'],
  [404, 'NOTIFICATION_NOT_ACCEPTED'],
  [405, 'NOTIFICATION_REFUSED'],
  [408, 'NOTIFICATION_NOT_ACCEPTED'],
  [413, 'NOTIFICATION_REFUSED'],
  [425, 'NOTIFICATION_NOT_ACCEPTED'],
  [499, 'NOTIFICATION_REFUSED'],
  [429, 'NOTIFICATION_NOT_ACCEPTED'],
  [500, 'unclear'],
  [502, 'unclear'],
  [503, 'NOTIFICATION_NOT_ACCEPTED'],
  [504, 'unclear'],
] as const)
  test(`HTTP status ${status} means that the events are ${OUTCOMES[code]}; the path of the URL stays secret`, async (t) => {
    const receiver = await startReceiver(t);
    receiver.respond(status);
    const error = await t.throwsAsync(notify(t, { url: `${receiver.url}/secret` }), {
      message: `POST ${receiver.url}: HTTP status ${status}: why so`,
    });
    t.is(errorCodeOf(error) ?? 'unclear', code);
  });

test('a receiver that does not listen is named without the path of the URL, and has not accepted the events', async (t) => {
  const port = await freePort();
  const error = await t.throwsAsync(notify(t, { url: `http://127.0.0.1:${port}/secret` }), {
    message: `POST http://127.0.0.1:${port}: connection refused`,
  });
  t.is(errorCodeOf(error), 'NOTIFICATION_NOT_ACCEPTED');
});

test('a receiver that closes the connection without a response has perhaps accepted the events', async (t) => {
  const server = createServer((request) => void request.socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  const error = await t.throwsAsync(notify(t, { url: `http://127.0.0.1:${port}/` }));
  t.is(errorCodeOf(error), undefined);
});

test('without its file for the header Authorization nothing is sent', async (t) => {
  const { url } = await startReceiver(t);
  const error = await t.throwsAsync(notify(t, { url, authorizationFile: '/no/such/file' }));
  t.is(errorCodeOf(error), 'NOTIFICATION_NOT_ACCEPTED');
});

for (const [what, options, message] of [
  ['no URL', {}, 'options.url or options.urlFile must be set'],
  [
    'two URLs',
    { url: 'http://h/', urlFile: '/f' },
    'options.url and options.urlFile must not be set together',
  ],
  ['PagerDuty without a key', { preset: 'pagerduty' }, 'options.routingKeyFile: must be set for PagerDuty'],
  [
    'PagerDuty with heartbeats',
    { preset: 'pagerduty', routingKeyFile: '/k', heartbeat: 1 },
    'options.heartbeat: PagerDuty accepts no heartbeats',
  ],
  [
    'PagerDuty with a template',
    { preset: 'pagerduty', routingKeyFile: '/k', template: '/t' },
    'options.template: PagerDuty accepts no other documents',
  ],
  [
    'a routing key for Slack',
    { preset: 'slack', url: 'http://h/', routingKeyFile: '/k' },
    'options.routingKeyFile: only the preset pagerduty uses it',
  ],
  [
    'a certificate without a key',
    { url: 'http://h/', cert: '/c' },
    'options.cert and options.key must be set together',
  ],
] as const)
  test(`invalid options: ${what}`, async (t) => {
    await t.throwsAsync(notify(t, options), { message });
  });

for (const [text, message] of [
  ['', 'it is empty'],
  ['a\nb', 'it has more than one line, or non-ASCII characters'],
  ['ftp://h/', 'must be a URL that begins with http:// or https://, without user name and fragment'],
] as const)
  test(`a file with the URL ${JSON.stringify(text)} is refused`, async (t) => {
    const urlFile = join(temporaryFolder(t, { url: text }), 'url');
    await t.throwsAsync(notify(t, { urlFile }), { message: `options.urlFile: ${urlFile}: ${message}` });
  });

for (const [text, message] of [
  [
    '{"a":"{{name}}"}',
    'unknown placeholder {{name}}; allowed are {{title}}, {{text}}, {{agent}}, {{cause}}, {{severity}}, and {{events}} as a whole string',
  ],
  // The time of an ambiguous pattern would grow with the third power of the spaces.
  [
    `{"a":"{{${' '.repeat(60_000)}{{ name }}"}`,
    'unknown placeholder {{ name }}; allowed are {{title}}, {{text}}, {{agent}}, {{cause}}, {{severity}}, and {{events}} as a whole string',
  ],
  [`${'['.repeat(22)}${']'.repeat(22)}`, 'it is nested more than 20 levels deep'],
  [`"${'x'.repeat(65_535)}"`, 'it is larger than 65536 bytes'],
] as const)
  test(`the template ${text.slice(0, 20)} is refused`, async (t) => {
    const template = join(temporaryFolder(t, { t: text }), 't');
    await t.throwsAsync(notify(t, { url: 'http://127.0.0.1:1/', template }), {
      message: `options.template: ${template}: ${message}`,
    });
  });

for (const status of [200, 201, 299])
  test(`HTTP status ${status} means that the events are accepted`, async (t) => {
    const receiver = await startReceiver(t);
    receiver.respond(status);
    await notify(t, { url: receiver.url });
    t.is(receiver.received.length, 1);
  });

for (const [what, text] of [
  ['21 levels', `${'['.repeat(21)}${']'.repeat(21)}`],
  ['65,536 bytes', `"${'x'.repeat(65_534)}"`],
] as const)
  test(`a template of ${what} is accepted`, async (t) => {
    const { url, received } = await startReceiver(t);
    const template = join(temporaryFolder(t, { t: text }), 't');
    await notify(t, { url, template });
    t.deepEqual(received[0]!.document, JSON.parse(text));
  });

for (const [count, last] of [
  [30, undefined],
  [31, 'and 1 more'],
] as const)
  test(`of ${count} events ${last ?? 'all'} are in words`, async (t) => {
    const { url, received } = await startReceiver(t);
    const events = Array.from({ length: count }, (_, index) => ({ ...EVENT, id: String(index) }));
    await notify(t, { url, preset: 'slack' }, { cause: 'change', agent: 'host1', events });
    const lines = (received[0]!.document as { text: string }).text.split('\n');
    // The title, two lines of the first event, and four of each other one.
    t.is(lines.length, 1 + 2 + 4 * 29 + (last === undefined ? 0 : 2));
    if (last !== undefined) t.is(lines.at(-1), last);
  });

for (const [length, shown] of [
  [500, 'x'.repeat(500)],
  [501, `${'x'.repeat(500)}…`],
] as const)
  test(`a reason of ${length} characters is ${shown.endsWith('…') ? 'cut' : 'complete'} in words`, async (t) => {
    const { url, received } = await startReceiver(t);
    const event = { ...EVENT, reason: 'x'.repeat(length) };
    await notify(t, { url, preset: 'slack' }, { cause: 'change', agent: 'host1', events: [event] });
    t.true((received[0]!.document as { text: string }).text.split('\n').includes(shown));
  });

test('of many events 30 are in words', async (t) => {
  const { url, received } = await startReceiver(t);
  const events = Array.from({ length: 40 }, (_, index) => ({ ...EVENT, id: String(index) }));
  await notify(t, { url, preset: 'slack' }, { cause: 'change', agent: 'host1', events });
  const lines = (received[0]!.document as { text: string }).text.split('\n');
  t.deepEqual([lines.length, lines.at(-1)], [1 + 2 + 4 * 29 + 2, 'and 10 more']);
});

for (const [length, shown] of [
  [1024 - 'a: '.length, 1024],
  [1025 - 'a: '.length, 1024],
] as const)
  test(`pagerduty: a summary of ${length + 3} characters has ${shown} of them, and the details have the complete reason`, async (t) => {
    const { url, received } = await startReceiver(t);
    const routingKeyFile = join(temporaryFolder(t, { key: 'R0UT1NG' }), 'key');
    const event = { ...EVENT, id: 'x'.repeat(length), component: 'a', reason: 'r'.repeat(length) };
    await notify(
      t,
      { url, preset: 'pagerduty', routingKeyFile },
      { cause: 'change', agent: 'host1', events: [event] },
    );
    const document = received[0]!.document as {
      dedup_key: string;
      payload: { summary: string; custom_details: { reason: string } };
    };
    const whole = `a: ${event.reason}`;
    t.is(document.payload.summary, whole.length > 1024 ? `${whole.slice(0, 1023)}…` : whole);
    t.is(document.payload.custom_details.reason, event.reason);
    t.is(document.dedup_key, `host1/${'x'.repeat(248)}…`);
  });

for (const [length, key] of [
  [249, `host1/${'x'.repeat(249)}`],
  [250, `host1/${'x'.repeat(248)}…`],
] as const)
  test(`pagerduty: the key of an event whose id has ${length} characters has ${key.length} of its 255 characters`, async (t) => {
    const { url, received } = await startReceiver(t);
    const routingKeyFile = join(temporaryFolder(t, { key: 'R0UT1NG' }), 'key');
    const event = { ...EVENT, id: 'x'.repeat(length) };
    await notify(
      t,
      { url, preset: 'pagerduty', routingKeyFile },
      { cause: 'change', agent: 'host1', events: [event] },
    );
    t.is((received[0]!.document as { dedup_key: string }).dedup_key, key);
  });

test.serial('pagerduty: without a URL the events are sent to its own', async (t) => {
  const lookup = stub(dns, 'lookup').callsFake(((
    name: string,
    _options: object,
    done: (error: Error) => void,
  ) => {
    done(Object.assign(new Error(`no address of ${name}`), { code: 'ENOTFOUND' }));
  }) as never);
  syncBuiltinESMExports();
  t.teardown(() => {
    lookup.restore();
    syncBuiltinESMExports();
  });
  const routingKeyFile = join(temporaryFolder(t, { key: 'R0UT1NG' }), 'key');
  await t.throwsAsync(notify(t, { preset: 'pagerduty', routingKeyFile }), {
    message: 'POST https://events.pagerduty.com: no such host',
  });
});

test('slack: more than 35,000 characters, such as of escapes, are cut', async (t) => {
  const { url, received } = await startReceiver(t);
  const events = Array.from({ length: 30 }, (_, index) => ({
    ...EVENT,
    id: String(index),
    reason: '&'.repeat(300),
  }));
  await notify(t, { url, preset: 'slack' }, { cause: 'change', agent: 'host1', events });
  const { text } = received[0]!.document as { text: string };
  t.is(text.length, 35_000);
  t.true(text.endsWith('…'));
});

for (const [what, headline, reason, lengths] of [
  ['a title of 256 characters and a description of fewer are complete', 'a'.repeat(256), 'r', [256, 60]],
  ['a longer title is cut to 256 characters', 'a'.repeat(257), 'r', [256, 60]],
  ['a description is cut to 4096 characters', 'a', '-'.repeat(300), [14, 4096]],
] as const)
  test(`discord: ${what}`, async (t) => {
    const { url, received } = await startReceiver(t);
    const events = Array.from({ length: reason === 'r' ? 1 : 30 }, () => ({
      ...EVENT,
      headline,
      reason,
    }));
    await notify(t, { url, preset: 'discord' }, { cause: 'change', agent: 'host1', events });
    const { title, description } = (
      received[0]!.document as { embeds: { title: string; description: string }[] }
    ).embeds[0]!;
    t.deepEqual([title.length, description.length], lengths);
    t.deepEqual([title.endsWith('…'), description.endsWith('…')], [headline.length > 256, reason !== 'r']);
  });

for (const [states, severity, color] of [
  [['recovered', 'warning', 'failed'], 'critical', 0xd32f2f],
  [['recovered', 'warning'], 'warning', 0xf9a825],
  [['recovered', 'info'], 'info', 0x388e3c],
] as const)
  test(`events with the states ${states.join(', ')} have the severity ${severity} and its colour`, async (t) => {
    const { url, received } = await startReceiver(t);
    const template = join(temporaryFolder(t, { t: '"{{severity}} {{cause}} {{agent}}{{ text }}"' }), 't');
    const events = states.map((state) => ({ ...EVENT, state, reason: 'r' }));
    await notify(t, { url, template }, { cause: 'reminder', agent: 'host1', events });
    await notify(t, { url, preset: 'discord' }, { cause: 'change', agent: 'host1', events });
    t.regex(String(received[0]?.document), new RegExp(`^${severity} reminder host1r\\n`));
    t.is((received[1]!.document as { embeds: { color: number }[] }).embeds[0]?.color, color);
  });

for (const [url, isValid] of [
  ['http://127.0.0.1:1/a?b=c', true],
  ['', true],
  ['127.0.0.1:1', false],
  ['http://u:p@h/', false],
] as const)
  test(`the option url ${JSON.stringify(url)} is ${isValid ? 'valid' : 'refused'}`, (t) => {
    const { problems } = checkOptions(webhook, declaration({ plugin: 'webhook', options: { url } }));
    t.is(problems.length, isValid ? 0 : 1);
    if (!isValid) t.true(problems[0]?.includes('options.url: must be a URL that begins with http://'));
  });
