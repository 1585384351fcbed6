// The common parts of notifiers; the requests are tested with the notifiers webhook and alertmanager.

import { hostname } from 'node:os';
import test from 'ava';
import type { AgentEvent } from '../../../core/contract/index.js';
import { agentName, eventDocument, runbookUrl, scheduleOf } from '../../../core/kit/notifier.js';

const OPTIONS = {
  events: 'critical',
  groupFor: 1,
  repeat: 2,
  deadManSwitch: 3,
  agent: 'host1',
  runbook: 'https://d/r',
} as const;
const EVENT: AgentEvent = {
  id: 'a',
  state: 'failed',
  severity: 'critical',
  component: 'a',
  reason: 'r',
  since: Date.UTC(2026, 0, 2),
  runbook: 'FabricNodeDown',
  fields: {},
};

test('the dead man’s switch is the interval of heartbeats', (t) => {
  t.deepEqual(scheduleOf(OPTIONS), { events: 'critical', groupFor: 1, repeat: 2, heartbeat: 3 });
});

test('without a name the agent has the name of its host', (t) => {
  t.is(agentName(OPTIONS), 'host1');
  t.is(agentName({ ...OPTIONS, agent: '' }), hostname());
});

for (const [what, runbook, section, link] of [
  ['both', 'https://d/r', 'FabricNodeDown', 'https://d/r#fabricnodedown'],
  ['no section', 'https://d/r', undefined, undefined],
  ['no runbook', '', 'FabricNodeDown', undefined],
] as const)
  test(`with ${what} the link of an event is ${link}`, (t) => {
    const { runbook: _runbook, ...event } = EVENT;
    const given = { ...event, ...(section !== undefined && { runbook: section }) };
    t.is(runbookUrl({ ...OPTIONS, runbook }, given), link);
    t.deepEqual(eventDocument({ ...OPTIONS, runbook }, given), {
      ...event,
      since: '2026-01-02T00:00:00.000Z',
      agent: 'host1',
      runbook: link,
    });
  });
