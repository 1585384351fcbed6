// A program: checks each endpoint in its arguments once and prints `healthy` or the reason.

import { createTestContext } from '../../core/contract/testing/index.js';
import docker from '../../plugins/health/docker/index.js';

for (const endpoint of process.argv.slice(2)) {
  const options = { endpoint, ca: '', cert: '', key: '', timeout: 5000 };
  try {
    const checker = docker.create(createTestContext(docker, options).context);
    await checker.start?.(new AbortController().signal);
    await checker.check(new AbortController().signal);
    console.log('healthy');
  } catch (error) {
    console.log((error as Error).message);
  }
}
