// Compares the example for Docker Compose with the settings that it results in, and its services with each other.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { parse } from 'yaml';
import { formatHostPort } from '../../../core/common/text/host-port.js';
import { loadSettings } from '../../../config/index.js';
import { declaredBy } from '../../helpers/declared.js';

const DIRECTORY = fileURLToPath(new URL('../../../../config/deploy/docker-compose', import.meta.url));

interface Service {
  readonly image: string;
  readonly build?: string;
  readonly volumes: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports: readonly string[];
  readonly networks: readonly string[];
}

const document = (path: string): unknown => parse(readFileSync(join(DIRECTORY, path), 'utf8'));
const { services, networks, volumes } = document('ops-agent.yaml') as {
  services: Record<'ops-agent' | 'prometheus' | 'grafana', Service>;
  networks: Record<string, { name: string; external: boolean }>;
  volumes: Record<string, unknown>;
};
const agent = services['ops-agent'];

/** The mounts of a service: the source, and the path in the container. */
const mountsOf = ({ volumes: mounts }: Service): [string, string][] =>
  mounts.map((mount) => mount.split(':') as [string, string, ...string[]]).map(([from, to]) => [from, to]);

/** The file on this host that a service has at a path. */
function fileAt(service: Service, path: string): string {
  const [from, to] =
    mountsOf(service).find(([, target]) => path === target || path.startsWith(`${target}/`)) ?? [];
  if (from === undefined || to === undefined) throw new Error(`nothing is mounted at ${path}`);
  return join(DIRECTORY, from, relative(to, path));
}

test('the example uses the image of this version and a network that exists', (t) => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  t.is(agent.image, `fabric-ops-agent:${version}`);
  for (const service of Object.values(services)) t.deepEqual(service.networks, Object.keys(networks));
  t.true(existsSync(join(DIRECTORY, agent.build ?? '', 'Dockerfile')));
});

test('every file that the example mounts exists, every volume is declared, and no port is published twice', (t) => {
  for (const service of Object.values(services)) {
    for (const [from] of mountsOf(service)) {
      if (from.startsWith('.')) t.true(existsSync(join(DIRECTORY, from)), from);
      else t.true(from in volumes, from);
    }
  }
  const published = Object.values(services).flatMap(({ ports }) => ports.map((port) => port.split(':')[1]));
  // The ports of the nodes of the test network, and of Prometheus and Grafana of fabric-samples.
  const used = ['9443', '9444', '9445', '9446', '9447', '9090', '3000'];
  t.is(new Set([...published, ...used]).size, published.length + used.length);
});

test('Prometheus has all rule files of the kit and scrapes the agent', (t) => {
  const { rule_files: rules, scrape_configs: jobs } = parse(
    readFileSync(fileAt(services.prometheus, '/etc/prometheus/prometheus.yml'), 'utf8'),
  ) as { rule_files: string[]; scrape_configs: { static_configs: { targets: string[] }[] }[] };
  const kit = readdirSync(join(DIRECTORY, '../prometheus')).filter((name) => !name.endsWith('.test.yaml'));
  t.deepEqual(
    rules.map((path) => fileAt(services.prometheus, `/etc/prometheus/${path}`)).toSorted(),
    kit.map((name) => join(DIRECTORY, '../prometheus', name)).toSorted(),
  );
  t.deepEqual(
    jobs.flatMap(({ static_configs: each }) => each.flatMap(({ targets }) => targets)),
    [`ops-agent:${agent.ports[0]?.split(':').at(-1)}`],
  );
});

test('Grafana has the Prometheus of the example as its data source, and the dashboards of the kit', (t) => {
  const provisioning = (kind: string): unknown =>
    parse(
      readFileSync(
        fileAt(services.grafana, `/etc/grafana/provisioning/${kind}/fabric-ops-agent.yaml`),
        'utf8',
      ),
    );
  const { datasources } = provisioning('datasources') as { datasources: { url: string }[] };
  t.deepEqual(
    datasources.map(({ url }) => url),
    [`http://prometheus:${services.prometheus.ports[0]?.split(':').at(-1)}`],
  );
  const { providers } = provisioning('dashboards') as { providers: { options: { path: string } }[] };
  t.deepEqual(
    providers.map(({ options }) => fileAt(services.grafana, options.path)),
    [join(DIRECTORY, '../grafana')],
  );
});

test('the example mounts its directory where the image reads its configuration', (t) => {
  const dockerfile = readFileSync('Dockerfile', 'utf8');
  const [, path] = /FABRIC_CFG_PATH=(\S+)/.exec(dockerfile) ?? [];
  t.is(agent.volumes[0], `.:${path}:ro`);
});

test('the example keeps what receivers were told in a volume that belongs to the user of the image', (t) => {
  const [, directory] = /^ops-agent-state:(.+)$/.exec(agent.volumes[1] ?? '') ?? [];
  t.is(agent.environment?.['FABRIC_OPS_AGENT_OPERATIONS_STATEDIRECTORY'], directory);
  t.true(readFileSync('Dockerfile', 'utf8').includes(`install -d -m 0700 -o 1000 -g 1000 ${directory}\n`));
});

test('the example monitors the nodes of the test network and publishes the port that it listens on', async (t) => {
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
  t.true((await declaredBy(settings)).some(({ plugin }) => plugin === 'prometheus'));
});
