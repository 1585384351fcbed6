// Builds the Dockerfile and runs the image with a Docker engine.

import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import Docker from 'dockerode';
import { readBuildInfo } from '../../core/common/files/build-info.js';
import { temporaryFolder } from '../helpers/folder.js';
import { eventually } from './daemon.js';
import { pingSocket, startEngine } from './engine.js';
import { buildImage, buildNodeImage, pack } from './images.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const { version } = readBuildInfo();
/** The settings of a cluster with restricted pod security. */
const STRICT = { ReadonlyRootfs: true, CapDrop: ['ALL'], SecurityOpt: ['no-new-privileges'] };
const ENTRIES = "const { readdirSync: list } = require('fs'); console.log(JSON.stringify(";

test('the image runs both programs without privileges and reports its health', async (t) => {
  // It downloads and installs all packages twice.
  t.timeout(1_200_000);
  const docker = await startDocker(t);
  await buildNodeImage(docker, temporaryFolder(t), 'local-node');
  await buildImage(docker, pack(ROOT, join(ROOT, '.dockerignore')), {
    t: 'fabric-ops-agent',
    networkmode: 'host',
    buildargs: { NODE_IMAGE: 'local-node', COMMIT: 'abc1234' },
  });

  const { Config } = await docker.getImage('fabric-ops-agent').inspect();
  t.is(Config.User, '1000:1000');
  t.deepEqual(Object.keys(Config.ExposedPorts), ['7059/tcp', '9543/tcp']);

  const agent = await run(t, docker, {});
  await eventually(async () => {
    const { State } = await agent.inspect();
    if (State.Health?.Status !== 'healthy') throw new Error(JSON.stringify(State));
  });
  t.is(await get(agent, 9543, '/version'), `200 {"CommitSHA":"abc1234","Version":"${version}"}`);
  t.regex(await get(agent, 9543, '/metrics'), /^200 [^]*fabric_ops_agent_version/);
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
  t.is(rest, '[]', 'the image contains no tests and no development packages');
  const names = `JSON.parse(require('fs').readFileSync('dist/sbom.cdx.json')).components.map((each) => each.name)`;
  const listed = JSON.parse(await execute(agent, ['node', '-p', `JSON.stringify(${names})`])) as string[];
  const installed = await execute(agent, ['node', '-e', `${ENTRIES}list('node_modules')))`]);
  const missing = (JSON.parse(installed) as string[]).filter(
    (each) => !/^[.@]/.test(each) && !listed.includes(each),
  );
  t.deepEqual(missing, [], 'the list of packages in the image names each that is installed');
  await agent.stop();
  t.is((await agent.inspect()).State.ExitCode, 0);

  const translator = await run(t, docker, { Cmd: ['configtxlator', 'start'] });
  await eventually(async () => {
    const response = await get(translator, 7059, '/healthz');
    if (!response.startsWith('200 {"status":"OK"')) throw new Error(response);
  });
  t.regex(await execute(translator, ['configtxlator', 'version']), /Commit SHA: abc1234/);
  await translator.stop();
  t.is((await translator.inspect()).State.ExitCode, 0);
});

async function startDocker(t: ExecutionContext): Promise<Docker> {
  const directory = temporaryFolder(t);
  const socketPath = join(directory, 'docker.sock');
  await startEngine(t, directory, [`--host=unix://${socketPath}`], () => pingSocket(socketPath));
  return new Docker({ socketPath });
}

/** Runs a container without network. It is removed when the test ends. */
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

/** Sends a GET request inside the container and returns the status and the body. */
function get(container: Docker.Container, port: number, path: string): Promise<string> {
  const script = `fetch('http://localhost:${port}${path}').then(async (r) => console.log(\`\${r.status} \${await r.text()}\`), (e) => console.log(e.cause.message))`;
  return execute(container, ['node', '-e', script]);
}

/** Runs a command in the container and returns its output. */
async function execute(container: Docker.Container, Cmd: string[]): Promise<string> {
  const call = await container.exec({ Cmd, AttachStdout: true, AttachStderr: true, Tty: true });
  const output = await call.start({ Tty: true });
  let text = '';
  for await (const chunk of output as AsyncIterable<Buffer>) text += chunk.toString('utf8');
  return text.trim();
}
