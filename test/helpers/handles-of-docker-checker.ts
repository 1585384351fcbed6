// A program: runs a successful and a timed-out check. It ends by itself only if the checker leaves no open handles.

import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { createNodeTestContext } from '../../core/testing/context.js';
import docker from '../../plugins/health/docker/index.js';

const engine = createServer((request, response) => {
  if (request.headers.host?.startsWith('localhost') === true) return;
  response.writeHead(200, { 'Content-Length': '2', Connection: 'keep-alive' });
  response.end('OK');
});
await new Promise<void>((resolve) => engine.listen(0, '127.0.0.1', resolve));
const { port } = engine.address() as AddressInfo;

for (const host of ['127.0.0.1', 'localhost']) {
  const endpoint = `tcp://${host}:${port}`;
  const options = { endpoint, ca: '', cert: '', key: '', timeout: 200 };
  const checker = docker.create(createNodeTestContext(docker, options).context);
  await checker.start?.(new AbortController().signal);
  await Promise.resolve(checker.check(new AbortController().signal)).catch(() => undefined);
  await checker.stop?.();
}
// A connection that the checker did not close would keep the engine and this process running.
engine.close();
connect(port).on('error', () => console.log('checked'));
