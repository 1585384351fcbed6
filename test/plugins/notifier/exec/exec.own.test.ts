import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { AgentEvent } from '../../../../core/contract/index.js';
import { errorCodeOf } from '../../../../core/contract/errors.js';
import { createTestContext, recordDelivery } from '../../../../core/testing/index.js';
import exec from '../../../../plugins/notifier/exec/index.js';
import { temporaryFolder } from '../../../helpers/folder.js';
import { execOptions } from '../../../helpers/notifier-options.js';

const EVENT: AgentEvent = {
  id: 'a',
  state: 'failed',
  severity: 'critical',
  component: 'a',
  reason: '$(touch x); "quoted"',
  since: Date.UTC(2026, 0, 2),
  runbook: 'FabricNodeDown',
  fields: {},
};

async function notify(t: ExecutionContext, script: string, timeout = 10_000): Promise<string> {
  const directory = temporaryFolder(t);
  const options = execOptions({
    command: ['/bin/sh', '-c', script],
    directory,
    timeout,
    runbook: 'https://d/r',
  });
  const notifier = exec.create(createTestContext(exec, options).context);
  await notifier.notify(
    { cause: 'change', agent: 'host1', events: [EVENT] },
    new AbortController().signal,
    recordDelivery().report,
  );
  return directory;
}

test('the command gets the events as JSON on its standard input', async (t) => {
  const directory = await notify(t, 'cat > events.json');
  t.deepEqual(JSON.parse(readFileSync(join(directory, 'events.json'), 'utf8')), {
    agent: 'host1',
    cause: 'change',
    events: [
      { ...EVENT, since: '2026-01-02T00:00:00.000Z', agent: 'host1', runbook: 'https://d/r#fabricnodedown' },
    ],
  });
});

for (const [script, message] of [
  ['echo "no mail server" >&2; exit 75', 'exit status 75: no mail server'],
  ['echo sorry; exit 1', 'exit status 1: sorry'],
  ['exit 9', 'exit status 9'],
  ['head -c 9 /dev/zero >&2; echo sorry; exit 1', 'exit status 1: sorry'],
] as const)
  test(`${script} is a failed notification that was not accepted`, async (t) => {
    const error = await t.throwsAsync(notify(t, script), { message });
    t.is(errorCodeOf(error), 'NOTIFICATION_NOT_ACCEPTED');
  });

test('a command that does not exist has not accepted the events', async (t) => {
  const options = execOptions({ command: ['/no/such/command'] });
  const notifier = exec.create(createTestContext(exec, options).context);
  const error = await t.throwsAsync(
    async () =>
      notifier.notify(
        { cause: 'change', agent: 'host1', events: [EVENT] },
        new AbortController().signal,
        recordDelivery().report,
      ),
    { message: '/no/such/command: no such file' },
  );
  t.is(errorCodeOf(error), 'NOTIFICATION_NOT_ACCEPTED');
});

test('a command that hangs is a failed notification that was perhaps accepted', async (t) => {
  const error = await t.throwsAsync(notify(t, 'sleep 600', 100), {
    message: 'the command took longer than 0.1s',
  });
  t.is(errorCodeOf(error), 'PLUGIN_TIMED_OUT');
});

test('a command that a signal ends has perhaps delivered the events', async (t) => {
  const error = await t.throwsAsync(notify(t, 'kill -9 $$'), { message: 'ended by SIGKILL' });
  t.is(errorCodeOf(error), undefined);
});
