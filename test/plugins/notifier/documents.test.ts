// What each receiver gets for the same events: from a recorded state of `/status` to the document of the request.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { AgentEvent } from '../../../core/contract/index.js';
import type { StatusDocument } from '../../../core/status/index.js';
import { inWords } from '../../../core/status/index.js';
import { createTestContext, recordDelivery } from '../../../core/testing/index.js';
import alertmanager from '../../../plugins/notifier/alertmanager/index.js';
import exec from '../../../plugins/notifier/exec/index.js';
import webhook from '../../../plugins/notifier/webhook/index.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { alertmanagerOptions, execOptions, webhookOptions } from '../../helpers/notifier-options.js';
import { pageState, type StateName } from '../../helpers/page-states.js';
import { startReceiver } from '../../helpers/receiver.js';

const DOCUMENTS = 'test/plugins/notifier/documents';
const NODE_DOWN = { node: 'peer2', component: 'peer2', state: 'failed', kind: 'down', severity: 'critical' };

/** A recorded state with one more failure. */
function withProblem(name: StateName, problem: object): StatusDocument {
  const { document } = pageState(name);
  const more = { since: document.time, reason: 'connection refused', steps: [], ...problem } as unknown;
  return { ...document, problems: [...document.problems, more as StatusDocument['problems'][number]] };
}

/** The event of the failure of a component in a state. */
function failureIn(document: StatusDocument, component: string): AgentEvent {
  const problem = document.problems.find((each) => each.component === component)!;
  return {
    id: component,
    component,
    ...(problem.node !== undefined && { node: problem.node }),
    state: problem.state as 'failed',
    severity: problem.severity as 'critical',
    reason: problem.reason,
    since: Date.parse(problem.since),
    ...(problem.runbook !== undefined && { runbook: problem.runbook }),
    fields: {},
  };
}

const SINCE = Date.parse('2026-11-26T16:52:00Z');
const recovery = (component: string, node?: string): AgentEvent => ({
  id: component,
  component,
  ...(node !== undefined && { node }),
  state: 'recovered',
  severity: 'critical',
  reason: 'recovered after 5m; failed since 2026-11-26T16:47:00Z, reason: connection refused',
  since: SINCE,
  fields: {},
});

const DOWN = withProblem('healthy', {
  ...NODE_DOWN,
  steps: [{ text: 'Start peer2.', command: 'systemctl start peer2' }],
});
const GONE = withProblem('healthy', {
  component: 'agents/host2',
  state: 'warning',
  severity: 'warning',
  kind: 'agent',
  reason: 'the agent host2 cannot be read: no response',
});
const CERTIFICATE = pageState('certificate').document;

/** By case, the state and the event. */
const CASES: ReadonlyMap<string, readonly [StatusDocument, AgentEvent]> = new Map([
  ['peer-down', [DOWN, failureIn(DOWN, 'peer2')]],
  ['peer-up-again', [pageState('healthy').document, recovery('peer2', 'peer2')]],
  [
    'channel-stopped',
    [pageState('quorum-lost').document, failureIn(pageState('quorum-lost').document, 'channels/ch1')],
  ],
  ['channel-works-again', [pageState('healthy').document, recovery('channels/ch1')]],
  [
    'planned-restart',
    [
      pageState('healthy').document,
      {
        id: 'orderer3',
        component: 'orderer3',
        node: 'orderer3',
        state: 'info',
        severity: 'info',
        headline: 'orderer3 has restarted',
        reason: 'the process has restarted: v2.5.16 → v3.1.5',
        since: SINCE,
        fields: {},
      },
    ],
  ],
  [
    'certificate',
    [
      CERTIFICATE,
      failureIn(CERTIFICATE, CERTIFICATE.problems.find(({ kind }) => kind === 'certificates')!.component),
    ],
  ],
  ['host-gone', [GONE, failureIn(GONE, 'agents/host2')]],
]);

/** The documents of all receivers for an event. */
async function documentsFor(t: ExecutionContext, event: AgentEvent): Promise<Record<string, unknown>> {
  const folder = temporaryFolder(t, { key: 'R0UT1NG' });
  const notification = { cause: 'change', agent: 'org1-host', events: [event] } as const;
  const documents: Record<string, unknown> = {};
  const agent = '';
  for (const preset of ['json', 'slack', 'teams', 'discord', 'pagerduty'] as const) {
    const { url, received } = await startReceiver(t);
    const routingKeyFile = preset === 'pagerduty' ? join(folder, 'key') : '';
    const options = webhookOptions({ url, preset, routingKeyFile, agent });
    const notifier = webhook.create(createTestContext(webhook, options).context);
    t.teardown(() => notifier.stop?.());
    await notifier.notify(notification, new AbortController().signal, recordDelivery().report);
    documents[preset] = received[0]?.document ?? 'nothing';
  }
  const { url, received } = await startReceiver(t);
  const alerts = alertmanager.create(
    createTestContext(alertmanager, alertmanagerOptions({ urls: [url], agent })).context,
  );
  t.teardown(() => alerts.stop?.());
  // An alert ends only if the Alertmanager has it.
  const before = { ...notification, events: [{ ...event, state: 'failed' }] } as const;
  for (const each of event.state === 'recovered' ? [before, notification] : [notification])
    await alerts.notify(each, new AbortController().signal, recordDelivery().report);
  // The end of an alert depends on the time.
  documents['alertmanager'] = (received.at(-1)!.document as { endsAt: string }[]).map(
    ({ endsAt: _endsAt, ...alert }) => alert,
  );
  const command = ['/bin/sh', '-c', 'cat > events.json'];
  const program = exec.create(
    createTestContext(exec, execOptions({ command, directory: folder, agent })).context,
  );
  await program.notify(notification, new AbortController().signal, recordDelivery().report);
  documents['exec'] = JSON.parse(readFileSync(join(folder, 'events.json'), 'utf8'));
  return documents;
}

test('each recorded document has a case', (t) => {
  t.deepEqual(readdirSync(DOCUMENTS).toSorted(), [...CASES.keys()].map((name) => `${name}.json`).toSorted());
});

for (const [name, [document, event]] of CASES)
  test(`the documents of all receivers for the case ${name}`, async (t) => {
    const told = inWords(event, document, 'https://host1.example.com:9543');
    const expected = JSON.parse(readFileSync(join(DOCUMENTS, `${name}.json`), 'utf8')) as unknown;
    t.deepEqual(await documentsFor(t, told), expected);
  });

test('without the state of the agent an event has its own words, and without a URL no link', (t) => {
  const [, event] = CASES.get('channel-stopped')!;
  const { headline, meaning, page, steps } = inWords(event, undefined, '');
  t.deepEqual(
    [headline, meaning, page, steps],
    ['ch1 fails', `S${event.reason.slice(1)}.`, undefined, undefined],
  );
});
