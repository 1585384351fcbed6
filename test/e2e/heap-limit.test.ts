// The program with a small heap and more observations than the StatsD sink keeps.

import test from 'ava';
import { ReceivedLines, startTcpDaemon, startUdpDaemon } from '../helpers/statsd-daemon.js';
import { freePort } from '../helpers/free-port.js';
import { startBusyAgent } from './busy-agent.js';
import { eventually } from './daemon.js';

const OBSERVATIONS = 1_000_000;
const ROUNDS = 50;
/** How many observations the sink keeps by default. */
const KEPT = 100_000;
const START = { udp: startUdpDaemon, tcp: startTcpDaemon };

for (const network of ['udp', 'tcp'] as const) {
  test.serial(
    `with a 64 MB heap and no daemon (${network}), the program survives a million observations in one interval and counts dropped ones`,
    async (t) => {
      const port = await freePort();
      const options = { network, address: `127.0.0.1:${port}`, writeInterval: '10s', prefix: 'p' };
      const { program, work, metric } = await startBusyAgent(t, options, [
        'env',
        'NODE_OPTIONS=--max-old-space-size=64',
      ]);
      for (let round = 0; round < ROUNDS; round += 1) await work({ observations: OBSERVATIONS / ROUNDS });
      await program.line(/pushing metrics failed/);
      await work({ level: 1 });

      const received = new ReceivedLines();
      await START[network](t, received, { port });
      const dropped = await eventually(async () => {
        const count =
          (await metric('fabric_ops_agent_statsd_dropped_total{reason="timings",sink="statsd"}')) ?? 0;
        if (count === 0) throw new Error('nothing was dropped yet');
        return count;
      });
      // The agent also makes observations for its own requests.
      t.true(dropped >= OBSERVATIONS - KEPT && dropped < OBSERVATIONS - KEPT + 5000, `${dropped} dropped`);
      if (network === 'tcp')
        await eventually(async () => {
          const newest = received.of('p.fabric_ops_agent.shop.took', 'ms').at(-1)?.value;
          if (newest !== OBSERVATIONS - 1) throw new Error(`the newest observation received is ${newest}`);
        });
      await work({ level: 2 });
      program.child.kill('SIGTERM');
      t.is((await program.ended).status, 0);
    },
  );
}
