// A program: runs an agent with built-in plugins again and again, from its configuration file to its stop, each time with another call on a file or
// the network that fails. Prints what it finds as JSON. Arguments: the error code of files and that of the network, `hang` for a call that
// hangs; then optionally a part of the keys of the calls to fail, whose runs are printed on standard error.

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, request } from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import timers from 'node:timers/promises';
import { useFakeTimers } from 'sinon';
import { BUILT_IN } from '../../core/built-in.js';
import { createAgent, loadSettings, SettingsError, type Agent } from '../../core/index.js';
import { makeCertificates } from './certificate-set.js';
import { HANG, InjectedFaults, type Call, type Fault } from './injected-faults.js';
import { NoLag } from './no-lag.js';

/** What the program prints. */
export interface FaultReport {
  /** Calls of a run without faults. */
  readonly calls: number;
  /** Runs with a fault that happened. */
  readonly faults: number;
  /** What was wrong, by the call that failed. */
  readonly findings: readonly { readonly call: string; readonly what: string }[];
}

/**
 * Longest time of a step that must succeed, in milliseconds of the clock that only {@link pass} moves: a notification waits for a call that
 * hangs, for {@link HANG}, and then for the back-off, a minute at most.
 */
const STEP_LIMIT = 180_000;
/** Longest stop that core/host/README.md promises. */
const STOP_LIMIT = 28_000;
/** Longest time of a request of the test. */
const REQUEST_LIMIT = 20_000;
/** How many calls of one function on one path or address fail in turn. */
const MAX_REPEATED = 3;

const [file = 'EIO', network = 'ECONNRESET', only] = process.argv.slice(2);

const certificates = makeCertificates();
const directory = realpathSync(mkdtempSync(join(certificates.directory, 'agent-')));
const inDirectory = (...path: string[]): string => join(directory, ...path);
const trusted = certificates.clients['trusted']!;
const clientTls = {
  ca: readFileSync(certificates.ca.cert),
  cert: readFileSync(trusted.cert),
  key: readFileSync(trusted.key),
};

// The node, the receiver of notifications and the StatsD daemon.
const received = { notifications: '', datagrams: 0 };
let isNodeHealthy = false;
const serverTls = {
  cert: readFileSync(certificates.server.cert),
  key: readFileSync(certificates.server.key),
};
const node = createServer({ ...serverTls, ca: clientTls.ca, requestCert: true }, ({ url = '' }, response) => {
  const [status, body] = nodeResponse(url);
  response.statusCode = status;
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}).listen(0, '127.0.0.1');
const receiver = createHttpServer((incoming, response) => {
  incoming.setEncoding('utf8').on('data', (text: string) => void (received.notifications += text));
  incoming.on('end', () => response.end());
}).listen(0, '127.0.0.1');
const statsd = createSocket('udp4', () => void (received.datagrams += 1)).bind(0, '127.0.0.1');
await Promise.all([node, receiver, statsd].map((each) => once(each, 'listening')));
const [nodePort, receiverPort] = [node, receiver].map((each) => (each.address() as AddressInfo).port) as [
  number,
  number,
];
const statsdPort = statsd.address().port;

function nodeResponse(url: string): [status: number, body: unknown] {
  if (url === '/version') return [200, { CommitSHA: 'abc', Version: 'v3.0.0' }];
  if (url === '/logspec') return [200, { spec: 'info' }];
  if (url === '/metrics')
    return [
      200,
      '# TYPE ledger_blockchain_height gauge\nledger_blockchain_height{channel="c"} 7\n# TYPE gossip_membership_total_peers_known gauge\ngossip_membership_total_peers_known{channel="c"} 1\n',
    ];
  const time = '2026-01-01T00:00:00Z';
  return isNodeHealthy
    ? [200, { status: 'OK', time }]
    : [503, { status: 'Service Unavailable', time, failed_checks: [{ component: 'x', reason: 'y' }] }];
}

writeFiles();

function writeFiles(): void {
  mkdirSync(inDirectory('msp/signcerts'), { recursive: true });
  mkdirSync(inDirectory('msp/cacerts'));
  mkdirSync(inDirectory('data'));
  cpSync(trusted.cert, inDirectory('msp/signcerts/cert.pem'));
  cpSync(certificates.ca.cert, inDirectory('msp/cacerts/ca.pem'));
  for (const name of ['ca.pem', 'server.pem', 'server.key', 'client.pem', 'client.key']) {
    const { ca, server } = certificates;
    const from = {
      'ca.pem': ca.cert,
      'server.pem': server.cert,
      'server.key': server.key,
      'client.pem': trusted.cert,
      'client.key': trusted.key,
    }[name];
    cpSync(from ?? '', inDirectory(name));
  }
  writeFileSync(inDirectory('url'), `http://127.0.0.1:${receiverPort}/hook\n`);
  writeFileSync(inDirectory('peer.log'), '2026-01-01 00:00:00.000 UTC 0001 ERRO [x] y -> no disk\n');
  writeFileSync(
    inDirectory('core.yaml'),
    `peer: { id: peer0, mspConfigPath: msp, fileSystemPath: data }
operations: { listenAddress: '127.0.0.1:${nodePort}', tls: { enabled: true, cert: { file: server.pem }, key: { file: server.key }, clientRootCAs: { files: [ca.pem] } } }
metrics: { provider: prometheus }
`,
  );
  writeFileSync(
    inDirectory('agent.yaml'),
    `operations:
  listenAddress: 127.0.0.1:0
  tls: { enabled: true, cert: { file: server.pem }, key: { file: server.key }, clientRootCAs: { files: [ca.pem] } }
health: { interval: 5s, cacheFor: 0s }
node: { config: core.yaml, ca: ca.pem, cert: client.pem, key: client.key, log: peer.log }
plugins:
  - plugin: prometheus
  - { plugin: statsd, options: { address: 'localhost:${statsdPort}', writeInterval: 2s } }
  - { plugin: webhook, options: { urlFile: url, groupFor: 1s } }
`,
  );
}

// While the clock is the real one: on a busy machine this takes longer than any simulated limit.
await Promise.all(BUILT_IN.map(({ url }) => import(url)));

const faults = new InjectedFaults({
  directory,
  isPort: (port) => [nodePort, receiverPort].includes(port),
});
const nextTurn = setImmediate;
const clock = useFakeTimers({
  toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
  shouldClearNativeTimers: true,
});
// The imported one, which the package for browsers of sinon does not know.
timers.setTimeout = ((delay: number, value: unknown, { signal }: { signal?: AbortSignal } = {}) =>
  new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve(value as never);
    }, delay);
    signal?.addEventListener('abort', abort);
  })) as typeof timers.setTimeout;
syncBuiltinESMExports();

/**
 * Lets time pass until work has ended, and at most a limit in milliseconds. The servers are in this process: some turns of the event loop
 * bring their responses, and no time passes while a file is read. So no deadline depends on the speed of the machine.
 */
async function pass<T>(work: Promise<T>, limit: number, what: string): Promise<T> {
  let hasEnded = false;
  const end = (): void => void (hasEnded = true);
  work.then(end, end);
  for (let passed = 0; !hasEnded; passed += 50) {
    for (let turn = 0; turn < 8 || faults.pending > 0; turn += 1)
      await new Promise((resolve) => nextTurn(resolve));
    if (hasEnded) break;
    if (passed > limit) throw new Error(`${what}: not within ${limit / 1000} s`);
    await clock.tickAsync(50);
  }
  return work;
}

const sleep = (duration: number): Promise<void> =>
  new Promise((resolve) => void setTimeout(resolve, duration));

async function waitFor(isReached: () => boolean | Promise<boolean>, what: string): Promise<void> {
  let hasEnded = false;
  const poll = async (): Promise<void> => {
    while (!hasEnded && !(await isReached())) await sleep(500);
  };
  await pass(poll(), STEP_LIMIT, what).finally(() => (hasEnded = true));
}

/** Requests a path of the agent. Returns an empty text for a response that is not complete or not in time. */
function get(agent: Agent, path: string): Promise<string> {
  const port = Number(agent.address?.split(':').at(-1));
  return new Promise((resolve) => {
    const sent = request({ host: '127.0.0.1', port, path, agent: false, ...clientTls }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      response.on('error', () => resolve('')).on('end', () => resolve(body));
    });
    const timer = setTimeout(() => sent.destroy(), REQUEST_LIMIT);
    sent.on('error', () => resolve('')).on('close', () => (clearTimeout(timer), resolve('')));
    sent.end();
  });
}

const uncaught: unknown[] = [];
process.on('unhandledRejection', (error) => uncaught.push(error));
process.on('uncaughtException', (error) => uncaught.push(error));

/** What users see of a run: errors, log, health and nodes. */
let seen = '';

/** Creates and starts an agent. Returns undefined when that fails. */
async function start(): Promise<Agent | undefined> {
  let agent: Agent | undefined;
  try {
    const { settings, warnings } = loadSettings({
      files: ['agent.yaml'],
      flags: [],
      environment: {},
      cwd: directory,
    });
    seen += warnings.join('\n');
    agent = await pass(createAgent(settings, [], new NoLag()), STEP_LIMIT, 'createAgent');
    await pass(agent.start(), STEP_LIMIT, 'start');
    return agent;
  } catch (error) {
    seen += error instanceof SettingsError ? error.problems.join('\n') : String(error);
    if (agent !== undefined) {
      await pass(agent.stop(), STOP_LIMIT, 'stop after a failed start');
      if (agent.address !== undefined) throw new Error('it listens after a failed start', { cause: error });
    }
    return undefined;
  }
}

/** Scrape, push, notification, reload. */
async function use(agent: Agent, event: 'failed' | 'recovered'): Promise<void> {
  isNodeHealthy = event === 'recovered';
  const { datagrams } = received;
  await waitFor(
    async () => (await get(agent, '/metrics')).includes('\nledger_blockchain_height{channel="c"} 7\n'),
    'scrape',
  );
  await waitFor(() => received.datagrams > datagrams, 'push');
  await waitFor(() => isNotified(event), `notification: ${event}`);
  seen += await pass(get(agent, '/healthz?verbose'), STEP_LIMIT, '/healthz');
  seen += await pass(get(agent, '/nodes'), STEP_LIMIT, '/nodes');
  for (const [from, to] of [
    ['server.pem', 'server.new'],
    ['client.pem', 'client.new'],
  ] as const)
    copyFileSync(inDirectory(from), inDirectory(to));
  agent.reloadTls();
  await waitFor(async () => (await get(agent, '/version')).includes('"Version"'), '/version');
}

/** Whether the receiver has got the event of the check that the node reports. */
const isNotified = (event: string): boolean =>
  new RegExp(`"${event}"[^{}]*"component":"peer0/x"|"component":"peer0/x"[^{}]*"${event}"`).test(
    received.notifications,
  );

/** The words for the codes and for a call that hangs. */
const REASON =
  /input\/output error|i\/o error|permission denied|connection (?:refused|reset|was closed)|did not respond|took longer|timed out|EIO|EACCES|EAI_AGAIN|EPIPE|ECONN\w+|EADDRINUSE|address is already in use/;

/** Calls whose failure has no effect that users see. */
const NOT_NAMED: readonly RegExp[] = [
  // The versions of TLS files are compared again 2 s later, or with the next request. That they do not respond is logged.
  ...(file === 'hang' ? [] : [/^stat(?:Sync)? .*\/(?:ca|server|client)\.(?:pem|key) /]),
  // Which client certificate the node accepts: found out again when the plugin reads the file.
  /^(?:open|fstat|read|close)Sync .*\/(?:server|client)\.pem #1$/,
  /^(?:fstat|read)Sync .*\/(?:server|client)\.pem #2$/,
  // The log of the node is read again with the next check, and so is the time of its file.
  /(?:^|\.)(?:stat|open|read|close) .*\/peer\.log #/,
  /^statSync .*\/core\.yaml #2$/,
  // Counted in fabric_ops_agent_logging_entries_dropped_total.
  /^writeSync standard error /,
  // A request on a connection that was kept is sent again on a new one.
  new RegExp(`^write 127\\.0\\.0\\.1:${receiverPort} #3$`),
  // The version and the log spec of the node are requested again.
  new RegExp(`^(?:connect|write) 127\\.0\\.0\\.1:${nodePort} #3$`),
];

/** Instances whose names stand for the addresses in their options: a deadline of the host names the instance. */
const INSTANCES: ReadonlyMap<string, string> = new Map([
  [`127.0.0.1:${nodePort}`, 'peer0'],
  [`127.0.0.1:${statsdPort}`, 'statsd'],
  ['localhost', 'statsd'],
]);

/** Whether users see the path, as the settings have it, or the address of a call that failed, with a reason. */
function isNamed({ key, target }: Call): boolean {
  const name = target.startsWith(directory) ? target.slice(directory.length + 1) : target;
  const names = [name, INSTANCES.get(target) ?? name];
  return (
    NOT_NAMED.some((pattern) => pattern.test(key)) ||
    seen.split('\n').some((line) => REASON.test(line) && names.some((each) => line.includes(each)))
  );
}

/** One run of the agent. Returns what was wrong. */
async function run(): Promise<string[]> {
  const problems: string[] = [];
  seen = '';
  uncaught.length = 0;
  received.notifications = '';
  isNodeHealthy = false;
  let agent = await start();
  if (agent === undefined) {
    await pass(sleep(HANG), 2 * HANG, 'the end of what hangs');
    agent = await start();
  }
  if (agent === undefined) return ['it does not start a second time'];
  try {
    await use(agent, 'failed');
    await use(agent, 'recovered');
    await waitFor(async () => (await get(agent, '/healthz')).includes('"OK"'), 'health');
    // Longer than the deadline of a file call.
    if (file === 'hang') await pass(sleep(10_000), STEP_LIMIT, 'a pause');
  } catch (error) {
    problems.push(String(error));
  }
  const begin = performance.now();
  await pass(agent.stop(), STEP_LIMIT, 'stop').catch((error: unknown) => problems.push(String(error)));
  const took = performance.now() - begin;
  if (took > STOP_LIMIT) problems.push(`the stop took ${took} ms`);
  seen += faults.stderr;
  for (const error of uncaught)
    problems.push(`uncaught: ${error instanceof Error ? error.stack : String(error)}`);
  return problems;
}

const fault: Fault = { file, network };
faults.begin();
// The first run fills caches.
const first = await run();
faults.begin();
const undisturbed = [...first, ...(await run())];
const calls = [...faults.calls];
const findings = undisturbed.map((what) => ({ call: 'none', what }));
let happened = 0;
/** Later calls of the same function on the same path or address are as the first ones. */
const isEarly = (key: string): boolean => Number(key.split('#').at(-1)) <= MAX_REPEATED;
for (const call of calls.filter(({ key }) => (only === undefined ? isEarly(key) : key.includes(only)))) {
  faults.begin({ key: call.key, fault });
  const problems = await run();
  if (faults.isReached) happened += 1;
  if (faults.isReached && !isNamed(call)) problems.push(`nothing names ${call.target}`);
  if (faults.isReached && file === 'hang') await pass(sleep(HANG), 2 * HANG, 'the end of what hangs');
  if (only !== undefined) process.stderr.write(`=== ${call.key}\n${seen}\n`);
  findings.push(...problems.map((what) => ({ call: call.key, what })));
}
const report: FaultReport = { calls: calls.length, faults: happened, findings };
process.stdout.write(`${JSON.stringify(report, undefined, 1)}\n`);
process.exit(0);
