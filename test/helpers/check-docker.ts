// Run as a process of its own, with an endpoint: checks it once and writes `healthy` or the reason.

import { createTestContext } from '../../core/contract/testing/index.js';
import docker from '../../plugins/health/docker/index.js';

const options = { endpoint: process.argv[2] ?? '', ca: '', cert: '', key: '', timeout: 5000 };
try {
  const checker = docker.create(createTestContext(docker, options).context);
  await checker.start?.(new AbortController().signal);
  await checker.check(new AbortController().signal);
  console.log('healthy');
} catch (error) {
  console.log((error as Error).message);
}
