// Clients that send requests and read no response, against an agent with the memory of a small container. Without a memory cgroup only the heap is limited.

import { readFileSync } from 'node:fs';
import { get } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { makeCertificates } from '../../helpers/certificate-set.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { startProgram } from '../../helpers/program.js';
import { limitMemory } from '../memory-limit.js';
import { pipelined, sendUnread } from '../unread.js';

const LIMIT = 256;

const { ca, server } = makeCertificates();

/** A checker that fails with a long reason full of characters that JSON escapes, and a sink's worth of series. */
const CHECKER = `export default { apiVersion: 1, kind: 'checker', name: 'long', options: {},
  create: ({ metrics }) => {
    const family = metrics.counter({ name: 'many', help: 'h', labelNames: ['n'] });
    for (let n = 0; n < 10000; n += 1) family.with({ n: String(n) }).inc();
    return { check() { throw Object.assign(new Error('long'), { code: 'CHECKS_FAILED', parts: ['a', 'b', 'c'].map((component) => ({ component, reason: '<'.repeat(9000) })) }); } };
  } };`;

/** Writes the configuration of an agent with TLS. @returns its directory */
function withTls(t: ExecutionContext): string {
  return temporaryFolder(t, {
    'long.mjs': CHECKER,
    'agent.yaml': `operations:
  listenAddress: '127.0.0.1:0'
  tls: { enabled: true, cert: { file: ${server.cert} }, key: { file: ${server.key} }, clientRootCAs: { files: [${ca.cert}] } }
metrics: { provider: prometheus, maxSeries: 20000 }
plugins: [{ plugin: ./long.mjs }]
`,
  });
}

test.serial(
  'twenty connections with 16 unread scrapes each and twenty with 1,500: an agent in 256 MiB serves on',
  async (t) => {
    const directory = temporaryFolder(t, {
      'long.mjs': CHECKER,
      'agent.yaml': `operations: { listenAddress: '127.0.0.1:0' }\nmetrics: { provider: prometheus, maxSeries: 20000 }\nplugins: [{ plugin: ./long.mjs }]\n`,
    });
    const { under, peak } = limitMemory(t, LIMIT);
    const program = startProgram(t, ['start', '--config', 'agent.yaml'], { cwd: directory, under });
    const [, port = ''] = await program.line(/serving on http:\/\/127\.0\.0\.1:(\d+)/);
    for (const count of [16, 1500]) {
      const requests = pipelined('/metrics', count);
      await Promise.all(Array.from({ length: 20 }, () => sendUnread(t, Number(port), requests)));
    }
    const times: number[] = [];
    for (let second = 0; second < 6; second += 1) {
      const start = performance.now();
      const body = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      t.true(body.includes('fabric_ops_agent_many{n="9999"} 1\n'));
      times.push(performance.now() - start);
      await sleep(1000);
    }
    t.log(`at most ${peak()} MiB; honest scrapes took at most ${Math.round(Math.max(...times))} ms`);
    program.child.kill('SIGTERM');
    t.is((await program.ended).status, 0);
  },
);

test.serial(
  'sixty TLS connections without a certificate, 16 unread /healthz each and sixty with 3,000: an agent in 256 MiB serves on',
  async (t) => {
    const directory = withTls(t);
    const { under, peak } = limitMemory(t, LIMIT);
    const program = startProgram(t, ['start', '--config', 'agent.yaml'], { cwd: directory, under });
    const [, port = ''] = await program.line(/serving on https:\/\/127\.0\.0\.1:(\d+)/);
    for (const count of [16, 3000]) {
      const requests = pipelined('/healthz', count);
      await Promise.all(
        Array.from({ length: 60 }, () => sendUnread(t, Number(port), requests, { isTls: true })),
      );
    }
    await sleep(4000);
    const status = await new Promise((resolve, reject) => {
      get(
        { port, host: '127.0.0.1', path: '/healthz', ca: readFileSync(ca.cert), servername: 'localhost' },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      ).on('error', reject);
    });
    t.is(status, 503);
    t.log(`at most ${peak()} MiB`);
    program.child.kill('SIGTERM');
    t.is((await program.ended).status, 0);
  },
);

test.serial('unauthorized requests at any rate leave a few log lines with a count', async (t) => {
  const directory = withTls(t);
  const program = startProgram(t, ['start', '--config', 'agent.yaml'], { cwd: directory });
  const [, port = ''] = await program.line(/serving on https:\/\/127\.0\.0\.1:(\d+)/);
  const requests = pipelined('/metrics', 16);
  const socket = await sendUnread(t, Number(port), requests, { isTls: true });
  let received = 0;
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1').split('HTTP/1.1 401').length - 1;
    if (received % 16 === 0) socket.write(requests);
  });
  socket.resume();
  while (received < 19_000) await sleep(50);
  program.child.kill('SIGTERM');
  const { stderr } = await program.ended;
  const lines = stderr.split('\n').filter((line) => line.includes('unauthorized request'));
  t.true(lines.length < 100, `${lines.length} lines`);
  t.regex(stderr, /\d+ further lines 'unauthorized request' were suppressed in 10s/);
});
