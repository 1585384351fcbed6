import test from 'ava';
import { startAgent } from '../../helpers/agent.js';
import { runAgentCommand, type CommandOutcome } from '../../helpers/agent-command.js';
import { QUIET } from '../../helpers/quiet-backend.js';

const silence = (...args: string[]): Promise<CommandOutcome> =>
  runAgentCommand(['silence', '--timeout', '5m', ...args]);

test('silence begins, lists and ends silences of a running agent', async (t) => {
  const { url } = await startAgent(t, { plugins: QUIET });
  t.deepEqual(await silence('list', '--url', url), {
    status: 0,
    stdout: 'no silence is active\n',
    stderr: '',
  });
  const made = await silence('--for', '30m', '--why', 'upgrade\nto 3.1.5', '--url', url);
  const [, id = '', until = ''] =
    /^silence ([0-9a-f]{8}) of all nodes and channels until (\S+Z): upgrade\\nto 3\.1\.5\n$/.exec(
      made.stdout,
    ) ?? [];
  t.deepEqual([made.status, made.stderr, id.length], [0, '', 8]);
  const listed = await silence('list', '--url', url);
  t.regex(listed.stdout, /^SILENCE +OF +UNTIL +BY +WHY\n/);
  t.true(listed.stdout.includes(`${id}  all nodes and channels  ${until}  127.0.0.1:`));
  const status = await runAgentCommand(['status', '--timeout', '5m', '--url', url]);
  t.true(status.stdout.includes(listed.stdout));
  t.deepEqual(await silence('end', id, '--url', url), {
    status: 0,
    stdout: `silence ${id} has ended\n`,
    stderr: '',
  });
  t.deepEqual(await silence('end', id, '--url', url), {
    status: 1,
    stdout: '',
    stderr: `fabric-ops-agent silence: ${url}: HTTP status 404: there is no silence '${id}': no silence is active\n`,
  });
});

test('silence --for 36h needs --yes', async (t) => {
  const { url } = await startAgent(t, { plugins: QUIET });
  const refused = await silence('--for', '36h', '--why', 'move', '--url', url);
  t.is(
    refused.stderr,
    `fabric-ops-agent silence: ${url}: HTTP status 400: 36h is longer than 24h; set "confirm" to true (--yes on the command line) if that is intended\n`,
  );
  t.is(refused.status, 1);
  t.is((await silence('--for', '36h', '--why', 'move', '--yes', '--url', url)).status, 0);
});

for (const [args, error] of [
  [['--why', 'x'], '--for is required: how long, such as --for 30m'],
  [['--for', '30m'], "--why is required: the reason, such as --why 'upgrade to 3.1.5'"],
  [['stop'], "unexpected argument 'stop'; expected list, end ID, or flags only"],
  [['end'], 'silence end requires one ID'],
  [['list', 'x'], "unexpected argument 'x'"],
  [['end', 'a', 'b'], 'silence end requires one ID'],
  [['list', '--yes'], 'silence list does not take --node, --channel, --for, --why or --yes'],
  [['end', 'a', '--node', 'peer0'], 'silence end does not take --node, --channel, --for, --why or --yes'],
  [['list', '--for', '1h'], 'silence list does not take --node, --channel, --for, --why or --yes'],
] as const)
  test(`silence ${args.join(' ')} is a wrong command line`, async (t) => {
    t.deepEqual(await silence(...args), {
      status: 2,
      stdout: '',
      stderr: `fabric-ops-agent: error: ${error}\n`,
    });
  });
