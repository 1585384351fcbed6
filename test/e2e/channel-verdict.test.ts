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
/** In which a verdict must change, in milliseconds: a limit for a busy machine, and for an election of Raft after a restart. */
const PATIENCE = 120_000;

/** A network with an agent beside all nodes, and one beside the peers only. */
interface Watched {
  readonly agent: NodeAgent;
  readonly monitoringPeers: NodeAgent;
  readonly receiver: Receiver;
  readonly orderers: readonly FabricNode[];
  /** Waits until the log of the agent has a line about the channel after now. Returns the milliseconds. */
  readonly logged: (pattern: RegExp, action: () => Promise<unknown>) => Promise<number>;
}

async function watch(t: ExecutionContext, options: NetworkOptions): Promise<Watched> {
  const { orderers, peers } = await startNetwork(t, options);
  const receiver = await startReceiver(t);
  // The default of the agent; that of the tests is shorter.
  const environment = { FABRIC_OPS_AGENT_HEALTH_INTERVAL: '10s' };
  const monitoringPeers = await startBeside(t, peers, { environment });
  const agent = await startBeside(t, [...peers, ...orderers], {
    environment,
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
  return { agent, monitoringPeers, receiver, orderers, logged };
}

/** Waits until the first verdict of `status --all`, after its answer, is this line. */
const untilFirstLine = (t: ExecutionContext, { url }: NodeAgent, expected: string): Promise<void> =>
  eventually(async () => {
    const { stdout } = await runProgram(t, ['status', '--all', '--url', url]);
    const [line] = stdout.slice(stdout.indexOf('\n\n') + 2).split('\n');
    check(line === expected, `${line}\n${expected}`);
  });

/** The events that were sent, as `state component`, in two lists: what fails or recovers, and what else has happened. */
function sentTo({ received }: Receiver): { readonly changes: string[]; readonly infos: string[] } {
  const sent = received.flatMap(({ document }) =>
    (document as { events: { state: string; component: string }[] }).events.map(
      ({ state, component }) => `${state} ${component}`,
    ),
  );
  const isInfo = (text: string): boolean => text.startsWith('info ');
  return { changes: sent.filter((text) => !isInfo(text)), infos: sent.filter(isInfo) };
}

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
      const { agent, monitoringPeers, receiver, orderers, logged } = await watch(t, options);
      const [first, second] = kill.map((index) => orderers[index]!) as [FabricNode, FabricNode];
      const names = [first.name, second.name];
      const working = `${CHANNEL} working: ${count} of ${count} consenters are active`;
      await untilState(agent, 'working');
      await untilFirstLine(t, agent, working);
      await untilFirstLine(t, monitoringPeers, working);

      const spent: Record<string, number> = {};
      spent['at risk'] = await logged(new RegExp(`${PART} needs attention: at risk: `), () =>
        first.stop('SIGKILL'),
      );
      const atRisk = `${CHANNEL} at risk: ${count - 1} of ${count} consenters are active, one more failure stops it`;
      await untilFirstLine(t, agent, `${atRisk}; ${first.name} is down`);
      await untilFirstLine(t, monitoringPeers, `${atRisk}; ${first.address} does not respond`);
      t.is((await failedChecks(agent)).failed[PART], undefined);

      spent['stopped'] = await logged(new RegExp(`${PART} is not healthy: stopped: `), () =>
        second.stop('SIGKILL'),
      );
      const needed = options.orderers === 4 ? ', 3 must be active' : '';
      const reason = `2 of ${count} consenters are down (${names.join(', ')})${needed}`;
      await untilFirstLine(t, agent, `${CHANNEL} stopped: ${reason}`);
      t.is((await failedChecks(agent)).failed[PART], `stopped: ${reason}`);
      await untilFirstLine(
        t,
        monitoringPeers,
        `${CHANNEL} stopped: 2 of ${count} consenters do not respond (${first.address}, ${second.address})${needed}`,
      );

      spent['at risk again'] = await logged(new RegExp(`${PART} needs attention: at risk: `), () =>
        second.start(),
      );
      spent['recovered'] = await logged(new RegExp(`${PART} is healthy again`), () => first.start());
      await untilState(agent, 'working');
      await untilFirstLine(t, monitoringPeers, working);
      t.log(spent);
      await eventually(async () => check(sentTo(receiver).changes.length >= 4, 'not all events were sent'));
      const { changes, infos } = sentTo(receiver);
      t.deepEqual(
        changes,
        ['warning', 'failed', 'warning', 'recovered'].map((state) => `${state} ${PART}`),
      );
      // Another leader may have been elected.
      t.deepEqual(
        infos.filter((text) => text !== `info ${PART}`).toSorted(),
        names.map((name) => `info ${name}`),
      );
    },
  );
