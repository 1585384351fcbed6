// The verdict about a channel while orderers of real networks are killed and start again.

import test, { type ExecutionContext } from 'ava';
import { runProgram } from '../helpers/program.js';
import { startReceiver, type Receiver } from '../helpers/receiver.js';
import { check, eventually } from './daemon.js';
import { startBeside, type NodeAgent } from './fabric/agent.js';
import { failedChecks, metricsOf } from './fabric/endpoint.js';
import { CHANNEL } from './fabric/network-files.js';
import { startNetwork, type NetworkOptions } from './fabric/network.js';
import type { FabricNode } from './fabric/node.js';

const PART = `channels/${CHANNEL}`;
/** In which a verdict must change, in milliseconds: a limit for a busy machine. */
const PATIENCE = 40_000;

/** A network with an agent beside all nodes. */
interface Watched {
  readonly agent: NodeAgent;
  readonly receiver: Receiver;
  readonly orderers: readonly FabricNode[];
  /** Waits until the log of the agent has a line about the channel after now. Returns the milliseconds. */
  readonly logged: (pattern: RegExp, action: () => Promise<unknown>) => Promise<number>;
}

async function watch(t: ExecutionContext, options: NetworkOptions): Promise<Watched> {
  const { orderers, peers } = await startNetwork(t, options);
  const receiver = await startReceiver(t);
  const agent = await startBeside(t, [...peers, ...orderers], {
    // The default of the agent; that of the tests is shorter.
    environment: { FABRIC_OPS_AGENT_HEALTH_INTERVAL: '10s' },
    plugins: [{ plugin: 'webhook', options: { url: receiver.url, groupFor: '1s' } }],
  });
  const logged = async (pattern: RegExp, action: () => Promise<unknown>): Promise<number> => {
    const before = agent.program.stderr().length;
    const start = performance.now();
    await action();
    await eventually(
      async () => check(pattern.test(agent.program.stderr().slice(before)), `no ${String(pattern)}`),
      PATIENCE,
    );
    return Math.round(performance.now() - start);
  };
  return { agent, receiver, orderers, logged };
}

/** Waits until the first line of `status` is this one. */
const untilFirstLine = (t: ExecutionContext, { url }: NodeAgent, expected: string): Promise<void> =>
  eventually(async () => {
    const [line] = (await runProgram(t, ['status', '--url', url])).stdout.split('\n');
    check(line === expected, `${line}\n${expected}`);
  });

/** The components of the critical events that were sent. */
const failures = ({ received }: Receiver): string[] =>
  received.flatMap(({ document }) =>
    (document as { events: { state: string; component: string }[] }).events.flatMap(({ state, component }) =>
      state === 'failed' ? [component] : [],
    ),
  );

/** Waits until a metric shows the state of the channel. */
const untilState = (agent: NodeAgent, state: string): Promise<void> =>
  eventually(async () => {
    const metrics = await metricsOf(agent);
    check(metrics.includes(`channel_state{channel="${CHANNEL}",state="${state}"} 1`), `not ${state}`);
  });

for (const { title, options, count, kill } of [
  { title: 'Raft, three orderers', options: { orderers: 3 }, count: 3, kill: [1, 2] },
  { title: 'BFT, four orderers', options: { orderers: 4, consensus: 'BFT' }, count: 4, kill: [1, 2] },
] as const)
  test.serial(
    `${title}: one killed is a risk, two stop the channel, and it recovers; each cause is one event`,
    async (t) => {
      t.timeout(300_000);
      const { agent, receiver, orderers, logged } = await watch(t, options);
      const [first, second] = kill.map((index) => orderers[index]!) as [FabricNode, FabricNode];
      const names = [first.name, second.name];
      await untilState(agent, 'working');
      await untilFirstLine(t, agent, `${CHANNEL} working: ${count} of ${count} consenters are active`);

      const spent: Record<string, number> = {};
      spent['at risk'] = await logged(new RegExp(`${PART} needs attention: at risk: `), () =>
        first.stop('SIGKILL'),
      );
      await untilFirstLine(
        t,
        agent,
        `${CHANNEL} at risk: ${count - 1} of ${count} consenters are active, one more failure stops it; ${names[0]} is down`,
      );
      t.is((await failedChecks(agent)).failed[PART], undefined);

      spent['stopped'] = await logged(new RegExp(`${PART} is not healthy: stopped: `), () =>
        second.stop('SIGKILL'),
      );
      const needed = options.orderers === 4 ? ', 3 must be active' : '';
      const reason = `2 of ${count} consenters are down (${names.join(', ')})${needed}`;
      await untilFirstLine(t, agent, `${CHANNEL} stopped: ${reason}`);
      t.is((await failedChecks(agent)).failed[PART], `stopped: ${reason}`);

      await second.start();
      await first.start();
      spent['recovered'] = await logged(new RegExp(`${PART} is healthy again`), async () => undefined);
      await untilState(agent, 'working');
      t.log(spent);
      const failed = failures(receiver);
      t.is(failed.filter((component) => component === PART).length, 1);
      t.deepEqual(
        failed.filter((component) => component !== PART && !names.includes(component)),
        [],
      );
    },
  );
