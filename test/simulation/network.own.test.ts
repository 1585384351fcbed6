// The simulated network between agents.

import test from 'ava';
import { RequestError } from '../../core/kit/index.js';
import { SimulatedNetwork, SimulatedService } from './network.js';
import { SimulatedProcess, SimulatedTime } from './time.js';

test.serial(
  'a service that closes answers the requests in progress, and refuses those that arrive later',
  async (t) => {
    const time = new SimulatedTime();
    const restore = time.install(() => 0);
    try {
      const network = new SimulatedNetwork(time);
      const GET = async () => time.after(100, () => ({ status: 200, body: 'running' }));
      const service = new SimulatedService(new SimulatedProcess('host1'), [
        { path: '/status', handlers: { GET } },
      ]);
      network.listen('host1', service);
      const ended: string[] = [];
      const send = (name: string): void =>
        void network
          .send('host2', 'host1', { path: '/status', maxSize: 100, signal: new AbortController().signal })
          .then(
            ({ body }) => ended.push(`${name} ${Buffer.from(body).toString()}`),
            (error: RequestError) => ended.push(`${name} ${error.reason}`),
          );
      send('early');
      await time.run(50);
      send('late');
      await time.run(52);
      network.unlisten('host1', service);
      void service.close().then(() => ended.push('closed'));
      await time.run(60);
      t.deepEqual(ended, ['late connection refused']);
      await time.run(200);
      t.deepEqual(ended, ['late connection refused', 'closed', 'early running']);
    } finally {
      restore();
    }
  },
);
