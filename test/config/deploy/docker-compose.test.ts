// Compares the example for Docker Compose with the settings that it results in.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { parse } from 'yaml';
import { formatHostPort, loadSettings } from '../../../config/index.js';

const DIRECTORY = fileURLToPath(new URL('../../../../config/deploy/docker-compose', import.meta.url));

const { services, networks } = parse(readFileSync(join(DIRECTORY, 'ops-agent.yaml'), 'utf8')) as {
  services: Record<'ops-agent', { image: string; volumes: string[]; ports: string[]; networks: string[] }>;
  networks: Record<string, { name: string; external: boolean }>;
};
const agent = services['ops-agent'];

test('the example uses the image of this version and a network that exists', (t) => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  t.is(agent.image, `fabric-ops-agent:${version}`);
  t.deepEqual(agent.networks, Object.keys(networks));
});

test('the example mounts its directory where the image reads its configuration', (t) => {
  const dockerfile = readFileSync('Dockerfile', 'utf8');
  const [, path] = /FABRIC_CFG_PATH=(\S+)/.exec(dockerfile) ?? [];
  t.deepEqual(agent.volumes, [`.:${path}:ro`]);
});

test('the example is beside the nodes of the test network and publishes the port that it listens on', (t) => {
  const environment = { FABRIC_CFG_PATH: DIRECTORY };
  const { settings, nodes, warnings } = loadSettings({ files: [], flags: [], environment, cwd: '/' });
  t.deepEqual(warnings, []);
  // The addresses in compose/compose-test-net.yaml of fabric-samples.
  t.deepEqual(
    nodes.map(({ kind, name, address }) => [kind, name, formatHostPort(address.value)]),
    [
      ['orderer', 'orderer.example.com', 'orderer.example.com:9443'],
      ['peer', 'peer0.org1.example.com', 'peer0.org1.example.com:9444'],
      ['peer', 'peer0.org2.example.com', 'peer0.org2.example.com:9445'],
    ],
  );
  const { host, port } = settings.operations.listenAddress;
  t.is(host, '');
  t.is(agent.ports[0]?.split(':').at(-1), String(port));
  t.true(settings.plugins.some(({ plugin }) => plugin === 'prometheus'));
});
