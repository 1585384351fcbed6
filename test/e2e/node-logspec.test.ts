// /logspec of the agent beside one node is the node's: its output, temporary levels, and who may change it.

import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { check, eventually } from './daemon.js';
import { nameOf, startBeside, stopAgent } from './fabric/agent.js';
import { putSpec, send, type Endpoint } from './fabric/endpoint.js';
import { startNetwork } from './fabric/network.js';
import { startStopwatch } from '../helpers/stopwatch.js';

/** A level in the output of a node, as it writes it. */
const DEBUG_LINE = / DEBU/;

/** The log specification and, while it is temporary, when it goes back. */
async function specOf(endpoint: Endpoint): Promise<{ spec: string; revertsAt: string | undefined }> {
  const { status, body, headers } = await send(endpoint, '/logspec');
  check(status === 200, `/logspec is ${status}: ${body}`);
  const revertsAt = headers['logspec-reverts-at'];
  return { spec: (JSON.parse(body) as { spec: string }).spec, revertsAt: revertsAt?.toString() };
}

for (const kind of ['orderer', 'peer'] as const) {
  test.serial(
    `PUT /logspec changes the output of the ${kind}, and a restart of the agent does not`,
    async (t) => {
      const network = await startNetwork(t);
      const node = network[`${kind}s`][0];
      const agent = await startBeside(t, [node]);
      t.deepEqual(await specOf(agent), { spec: 'info', revertsAt: undefined });
      t.notRegex(node.log(), DEBUG_LINE);

      t.is((await putSpec(agent, 'debug')).status, 204);
      t.is((await specOf(node.operations)).spec, 'debug');
      await eventually(async () => check(DEBUG_LINE.test(node.log()), 'the node writes no debug lines'));
      t.notRegex(agent.program.stderr(), / DEBU/, 'the level of the agent itself');

      t.is(await stopAgent(agent), 0);
      t.is((await specOf(node.operations)).spec, 'debug');
      const next = await startBeside(t, [node]);
      t.is((await specOf(next)).spec, 'debug');
      t.is((await specOf(node.operations)).spec, 'debug');

      const { status, body } = await putSpec(next, 'no-level');
      t.is(status, 400);
      t.regex((JSON.parse(body) as { error: string }).error, /no-level/);
      t.is((await specOf(node.operations)).spec, 'debug');
    },
  );
}

test.serial('with ?for=3s the level of the node goes back, and GET says when', async (t) => {
  const { peers } = await startNetwork(t);
  const [node] = peers;
  const agent = await startBeside(t, [node]);
  const start = Date.now();
  const elapsed = startStopwatch(t);

  t.is((await putSpec(agent, 'debug', '?for=3s')).status, 204);
  const set = Date.now();
  const { spec, revertsAt = '' } = await specOf(agent);
  t.is(spec, 'debug');
  t.is((await specOf(node.operations)).spec, 'debug');
  const end = Date.parse(revertsAt);
  // The header has whole seconds.
  t.true(end > start + 2_000 && end < set + 4_000, `${revertsAt}, set ${start} to ${set}`);

  await eventually(async () => check((await specOf(node.operations)).spec === 'info', 'still debug'));
  t.true(Date.now() - start > 2_500);
  t.true(elapsed() < 5_000, `back after ${elapsed()} ms`);
  t.deepEqual(await specOf(agent), { spec: 'info', revertsAt: undefined });
});

test.serial(
  'a temporary level goes back when the agent stops, and not if it was changed since',
  async (t) => {
    const { peers } = await startNetwork(t);
    const [node] = peers;
    const agent = await startBeside(t, [node]);

    t.is((await putSpec(agent, 'debug', '?for=2s')).status, 204);
    t.is((await putSpec(node.operations, 'warn')).status, 204);
    await sleep(3_500);
    t.is((await specOf(node.operations)).spec, 'warn');

    t.is((await putSpec(agent, 'debug', '?for=1h')).status, 204);
    // The second lease replaces the first, and keeps the specification that the first one goes back to.
    t.is((await putSpec(agent, 'error', '?for=2h')).status, 204);
    t.is((await specOf(node.operations)).spec, 'error');
    t.is(await stopAgent(agent), 0);
    t.is((await specOf(node.operations)).spec, 'warn');
  },
);

test.serial(
  'a duration that is not a Go duration from 1s to 24h is refused, and the level of the node stays',
  async (t) => {
    const { peers } = await startNetwork(t);
    const [node] = peers;
    const agent = await startBeside(t, [node]);
    for (const duration of ['', '0', '999ms', '24h1s', '-1s', '10', 'soon']) {
      const { status, body } = await putSpec(agent, 'debug', `?for=${duration}`);
      t.is(status, 400, `?for=${duration}: ${body}`);
      t.is((await specOf(node.operations)).spec, 'info', duration);
    }
  },
);

test.serial(
  'with TLS, only a client with a certificate reads and changes the level of the node',
  async (t) => {
    const { orderers } = await startNetwork(t, { operationsTls: true });
    const [node] = orderers;
    const agent = await startBeside(t, [node], { isTls: true });

    t.is((await putSpec(agent.anonymous, 'debug')).status, 401);
    t.is((await send(agent.anonymous, '/logspec')).status, 401);
    t.is((await specOf(node.operations)).spec, 'info');

    t.is((await putSpec(agent, 'debug')).status, 204);
    t.is((await specOf(node.operations)).spec, 'debug');
    t.regex(agent.program.stderr(), /CN=operator/, 'the log names the client');
  },
);

test.serial('while the node is down, /logspec is 502 and says why', async (t) => {
  const { peers } = await startNetwork(t);
  const [node] = peers;
  const agent = await startBeside(t, [node]);
  await node.stop('SIGKILL');
  for (const response of [await send(agent, '/logspec'), await putSpec(agent, 'debug')]) {
    t.is(response.status, 502);
    t.regex((JSON.parse(response.body) as { error: string }).error, /refused/);
    t.true(response.body.includes(nameOf(node)));
  }
});
