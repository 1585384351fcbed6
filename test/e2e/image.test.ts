// The Dockerfile, built and run by a real engine.

import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import Docker from 'dockerode';
import { readBuildInfo } from '../../core/service/index.js';
import { temporaryFolder } from '../helpers/folder.js';
import { eventually } from './daemon.js';
import { pingSocket, startEngine } from './engine.js';
import { buildImage, buildNodeImage, pack } from './images.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const { version } = readBuildInfo();
/** As a cluster with strict rules runs containers. */
const STRICT = { ReadonlyRootfs: true, CapDrop: ['ALL'], SecurityOpt: ['no-new-privileges'] };
const ENTRIES = "const { readdirSync: list } = require('fs'); console.log(JSON.stringify(";

test('the image holds both programs, runs them without rights, and tells its health', async (t) => {
  // It installs all packages twice, over the network.
  t.timeout(600_000);
  const docker = await startDocker(t);
  await buildNodeImage(docker, temporaryFolder(t), 'node-of-this-machine');
  await buildImage(docker, pack(ROOT, join(ROOT, '.dockerignore')), {
    t: 'fabric-ops-agent',
    networkmode: 'host',
    buildargs: { NODE_IMAGE: 'node-of-this-machine', COMMIT: 'abc1234' },
  });

  const { Config } = await docker.getImage('fabric-ops-agent').inspect();
  t.is(Config.User, '1000:1000');
  t.deepEqual(Object.keys(Config.ExposedPorts), ['7059/tcp', '9443/tcp']);

  const agent = await run(t, docker, {});
  await eventually(async () => {
    const { State } = await agent.inspect();
    if (State.Health?.Status !== 'healthy') throw new Error(JSON.stringify(State));
  });
  t.is(await ask(agent, 9443, '/version'), `200 {"CommitSHA":"abc1234","Version":"${version}"}`);
  t.regex(await ask(agent, 9443, '/metrics'), /^200 [^]*fabric_ops_agent_version/);
  t.is(await execute(agent, ['node', '-e', 'console.log(String(process.getuid()))']), '1000');
  t.deepEqual(JSON.parse(await execute(agent, ['node', '-e', `${ENTRIES}list('/app')))`])), [
    'LICENSE',
    'config',
    'dist',
    'node_modules',
    'package.json',
  ]);
  const rest = await execute(agent, [
    'node',
    '-e',
    `${ENTRIES}[...list('dist'), ...list('node_modules')].filter((name) => /^(test|ava|typescript)$/.test(name))))`,
  ]);
  t.is(rest, '[]', 'tests and what only developers need are left out');
  await agent.stop();
  t.is((await agent.inspect()).State.ExitCode, 0);

  const translator = await run(t, docker, { Cmd: ['configtxlator', 'start'] });
  await eventually(async () => {
    const answer = await ask(translator, 7059, '/healthz');
    if (!answer.startsWith('200 {"status":"OK"')) throw new Error(answer);
  });
  t.regex(await execute(translator, ['configtxlator', 'version']), /Commit SHA: abc1234/);
  await translator.stop();
  t.is((await translator.inspect()).State.ExitCode, 0);
});

async function startDocker(t: ExecutionContext): Promise<Docker> {
  const folder = temporaryFolder(t);
  const socketPath = join(folder, 'docker.sock');
  await startEngine(t, folder, [`--host=unix://${socketPath}`], () => pingSocket(socketPath));
  return new Docker({ socketPath });
}

/** Runs a container that nothing outside of it can reach; it is removed at the end of the test. */
async function run(
  t: ExecutionContext,
  docker: Docker,
  options: Docker.ContainerCreateOptions,
): Promise<Docker.Container> {
  const container = await docker.createContainer({
    Image: 'fabric-ops-agent',
    HostConfig: { ...STRICT, NetworkMode: 'none' },
    Healthcheck: { Interval: 1e9 },
    ...options,
  });
  t.teardown(() => container.remove({ force: true }));
  await container.start();
  return container;
}

/** Status and body of a resource, asked inside the container. */
function ask(container: Docker.Container, port: number, path: string): Promise<string> {
  const script = `fetch('http://localhost:${port}${path}').then(async (r) => console.log(\`\${r.status} \${await r.text()}\`), (e) => console.log(e.cause.message))`;
  return execute(container, ['node', '-e', script]);
}

/** What a command writes inside the container. */
async function execute(container: Docker.Container, Cmd: string[]): Promise<string> {
  const call = await container.exec({ Cmd, AttachStdout: true, AttachStderr: true, Tty: true });
  const output = await call.start({ Tty: true });
  let text = '';
  for await (const chunk of output as AsyncIterable<Buffer>) text += chunk.toString('utf8');
  return text.trim();
}
