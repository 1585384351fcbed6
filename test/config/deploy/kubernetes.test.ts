// Compares the manifests and sample files with the behavior of the programs.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { parseAllDocuments } from 'yaml';
import { loadSettings } from '../../../config/index.js';
import { declaredBy } from '../../helpers/declared.js';
import { startAgent } from '../../helpers/agent.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { runProgram, startProgram, TRANSLATOR } from '../../helpers/program.js';

interface Port {
  readonly name: string;
  readonly containerPort: number;
}

interface Container {
  readonly name: string;
  readonly image: string;
  readonly args: readonly string[];
  readonly env?: readonly { name: string; value: string }[];
  readonly envFrom?: readonly { configMapRef: { name: string } }[];
  readonly ports: readonly Port[];
  readonly readinessProbe?: { httpGet: { path: string; port: string; scheme?: string } };
  readonly livenessProbe: { httpGet: { path: string; port: string; scheme?: string } };
  readonly volumeMounts?: readonly { name: string; mountPath: string; readOnly?: boolean }[];
}

interface Pod {
  readonly containers: readonly Container[];
  readonly volumes?: readonly { name: string; secret?: { defaultMode: number } }[];
  readonly securityContext?: { fsGroup?: number; fsGroupChangePolicy?: string };
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Record<string, string> };
  readonly data: Record<string, string>;
  readonly spec: {
    readonly selector: Record<string, string> & { matchLabels: Record<string, string> };
    readonly template: { metadata: { labels: Record<string, string> }; spec: Pod };
    readonly ports: readonly { name: string; port: number; targetPort: string }[];
    readonly endpoints: readonly {
      port: string;
      path: string;
      scheme: string;
      tlsConfig: { serverName: string };
    }[];
    readonly jobLabel: string;
    readonly publishNotReadyAddresses?: boolean;
    readonly volumeClaimTemplates: readonly { metadata: { name: string } }[];
  };
}

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

/** The manifests of a file. */
function manifestsIn(name: string): readonly Manifest[] {
  const file = fileURLToPath(new URL(`../../../../config/deploy/kubernetes/${name}`, import.meta.url));
  const documents = parseAllDocuments(readFileSync(file, 'utf8'));
  const errors = documents.flatMap((document) => [...document.errors, ...document.warnings]);
  if (errors.length > 0) throw new Error(errors.join('\n'));
  return documents.map((each) => each.toJS() as Manifest);
}

/** The manifest of a kind, and of a name if there are several. */
function get(manifests: readonly Manifest[], kind: string, name?: string): Manifest {
  const found = manifests.find(
    (each) => each.kind === kind && (name === undefined || each.metadata.name === name),
  );
  if (found === undefined) throw new Error(`there is no ${kind}`);
  return found;
}

/** A node with the agent as its sidecar. */
function sidecarOf(kind: 'peer' | 'orderer'): Sidecar {
  const manifests = manifestsIn(`${kind}/${kind}.yaml`);
  const pod = get(manifests, 'StatefulSet').spec.template.spec;
  const [node, agent] = [kind, 'ops-agent'].map((name) => pod.containers.find((each) => each.name === name));
  if (node === undefined || agent === undefined) throw new Error(`a container of ${kind} is missing`);
  return { kind, manifests, pod, node, agent };
}

interface Sidecar {
  readonly kind: 'peer' | 'orderer';
  readonly manifests: readonly Manifest[];
  readonly pod: Pod;
  readonly node: Container;
  readonly agent: Container;
}

const SIDECARS = [sidecarOf('peer'), sidecarOf('orderer')];
const translator = manifestsIn('configtxlator.yaml');
const translatorContainer = get(translator, 'Deployment').spec.template.spec.containers[0] as Container;

test('the files contain the manifests named in the README', (t) => {
  for (const { manifests } of SIDECARS)
    t.deepEqual(
      manifests.map(({ kind }) => kind),
      ['Service', 'ConfigMap', 'ConfigMap', 'StatefulSet', 'Service', 'ServiceMonitor'],
    );
  t.deepEqual(
    translator.map(({ kind }) => kind),
    ['Deployment', 'Service'],
  );
});

for (const [name, { image }] of [
  ...SIDECARS.map(({ kind, agent }) => [`the agent of the ${kind}`, agent] as const),
  ['the translator', translatorContainer] as const,
])
  test(`${name} uses the image of this version`, (t) => {
    t.is(image, `fabric-ops-agent:${version}`);
  });

test('the services and the monitor select existing labels and ports', (t) => {
  for (const [manifests, pods] of [
    ...SIDECARS.map(({ manifests: each }) => [each, 'StatefulSet'] as const),
    [translator, 'Deployment'],
  ] as const) {
    const { spec } = get(manifests, pods);
    t.deepEqual(spec.selector.matchLabels, spec.template.metadata.labels);
    const ports = spec.template.spec.containers.flatMap((container) => container.ports);
    for (const { spec: service } of manifests.filter(({ kind }) => kind === 'Service')) {
      t.like(spec.template.metadata.labels, { ...service.selector });
      for (const { port, targetPort } of service.ports)
        t.is(ports.find(({ name }) => name === targetPort)?.containerPort, port);
    }
  }
  for (const { kind, manifests } of SIDECARS) {
    const { spec } = get(manifests, 'ServiceMonitor');
    const service = get(manifests, 'Service', `${kind}0-ops-agent`);
    t.like(service.metadata.labels, { ...spec.selector.matchLabels });
    t.deepEqual(
      spec.endpoints.map(({ port }) => port),
      service.spec.ports.map(({ name }) => name),
    );
    t.is(service.metadata.labels[spec.jobLabel], 'fabric-ops-agent', 'the job that the alert rules expect');
  }
});

test('the manifests of several nodes can be applied together: no two objects have the same kind and name', (t) => {
  const names = SIDECARS.flatMap(({ manifests }) =>
    manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`),
  );
  t.is(new Set(names).size, names.length, names.join(', '));
});

test('the monitor of a node selects only the service that has the name of its certificate', (t) => {
  for (const { kind, manifests } of SIDECARS) {
    const { spec } = get(manifests, 'ServiceMonitor');
    const { metadata } = get(manifests, 'Service', `${kind}0-ops-agent`);
    t.deepEqual(spec.selector.matchLabels, metadata.labels);
    t.deepEqual(
      spec.endpoints.map(({ tlsConfig }) => tlsConfig.serverName),
      [metadata.name],
    );
  }
});

/** All settings of a node that name files. */
const NODE_FILES = {
  peer: `peer:
  mspConfigPath: msp
  localMspId: Org1MSP
  fileSystemPath: /var/hyperledger/production
  tls: {enabled: true, cert: {file: tls/server.crt}, key: {file: tls/server.key}, rootcert: {file: tls/ca.crt}}
ledger: {snapshots: {rootDir: /var/hyperledger/production/snapshots}}
`,
  orderer: `General:
  LocalMSPDir: msp
  LocalMSPID: OrdererMSP
  TLS: {Enabled: true, Certificate: tls/server.crt, PrivateKey: tls/server.key, RootCAs: [tls/ca.crt]}
FileLedger: {Location: /var/hyperledger/production/orderer}
Consensus: {WALDir: /var/hyperledger/production/orderer/etcdraft/wal, SnapDir: /var/hyperledger/production/orderer/etcdraft/snapshot}
Operations: {TLS: {}}
Metrics: {}
ChannelParticipation: {Enabled: true}
Admin:
  ListenAddress: 127.0.0.1:9441
  TLS: {Enabled: true, Certificate: tls/server.crt, PrivateKey: tls/server.key, ClientRootCAs: [tls/ca.crt]}
`,
} as const;

/** The texts below a value that are paths. */
const pathsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? value.startsWith('/')
      ? [value]
      : []
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(pathsIn)
      : [];

for (const { kind, manifests, pod, node, agent } of SIDECARS) {
  test(`the sidecar of the ${kind} reads the volumes by an fsGroup that is applied once, and changes nothing in them`, (t) => {
    t.deepEqual(pod.securityContext, { fsGroup: 1000, fsGroupChangePolicy: 'OnRootMismatch' });
    const written = agent.volumeMounts?.filter(({ readOnly }) => readOnly !== true) ?? [];
    t.deepEqual(
      written.map(({ name, mountPath }) => [name, mountPath]),
      [
        [
          'ops-agent-state',
          agent.env?.find(({ name }) => name === 'FABRIC_OPS_AGENT_OPERATIONS_STATEDIRECTORY')?.value,
        ],
      ],
    );
    for (const { name, mountPath } of node.volumeMounts ?? [])
      t.true(
        agent.volumeMounts?.some((each) => each.name === name && each.mountPath === mountPath),
        `${name} at ${mountPath}`,
      );
    // Written 0440: octal in the YAML 1.1 of Kubernetes, decimal for this parser.
    for (const { name, secret } of pod.volumes ?? [])
      if (secret !== undefined) t.is(secret.defaultMode, 440, name);
  });

  test(`the ${kind} is reachable while the agent fails or does not run`, (t) => {
    t.is(agent.readinessProbe, undefined);
    const { spec } = get(manifests, 'Service', `${kind}0`);
    t.true(spec.publishNotReadyAddresses);
    t.deepEqual(
      spec.ports.map(({ name }) => name),
      [kind],
    );
  });

  test(`the sidecar of the ${kind} has all checks of the node and its files in volumes`, async (t) => {
    const { settings, cwd } = settingsOf(t, { kind, manifests, agent });
    const plugins = await declaredBy(settings);
    const checks = plugins.flatMap(({ name = '' }) => (name.startsWith(`${kind}0/`) ? [name] : []));
    t.deepEqual(
      checks.map((name) => name.slice(kind.length + 2)).toSorted(),
      (kind === 'peer'
        ? ['certificates', 'channel-config', 'disk', 'loaded-channels', 'orderer-link']
        : ['certificates', 'channel-config', 'consensus', 'disk', 'participation']
      ).toSorted(),
    );
    const mounts = (agent.volumeMounts ?? []).map(({ mountPath }) => mountPath);
    for (const { name = '', options } of plugins)
      if (checks.includes(name))
        for (const path of pathsIn(options).map((each) => each.replace(cwd, '/etc/hyperledger/fabric')))
          t.true(
            mounts.some((mount) => path === mount || path.startsWith(`${mount}/`)),
            `${name}: ${path}`,
          );
  });

  test(`the sidecar of the ${kind} listens on the port of its probe and monitor, with the mounted certificates`, async (t) => {
    const { settings, warnings, variables } = settingsOf(t, { kind, manifests, agent });
    t.deepEqual(warnings, []);
    t.like(settings.nodes, [{ name: `${kind}0`, kind, isLabelled: true }]);
    t.deepEqual(node.envFrom, agent.envFrom);
    const listens = variables[`${kind === 'peer' ? 'CORE' : 'ORDERER'}_OPERATIONS_LISTENADDRESS`];
    const plugins = await declaredBy(settings);
    t.is(plugins.find(({ plugin }) => plugin === 'node')?.options['address'], listens);
    const { port, host } = settings.operations.listenAddress;
    t.is(host, '');
    t.deepEqual(agent.ports, [{ name: 'ops-agent', containerPort: port }]);
    t.deepEqual(agent.livenessProbe.httpGet, { path: '/livez', port: 'ops-agent', scheme: 'HTTPS' });
    t.true(settings.operations.tls.enabled);

    const { certFile, keyFile, clientRootCAFiles } = settings.operations.tls;
    const mounts = agent.volumeMounts ?? [];
    for (const file of [certFile, keyFile, ...clientRootCAFiles])
      t.true(
        mounts.some(({ mountPath }) => file.startsWith(`${mountPath}/`)),
        file,
      );
    const claims = get(manifests, 'StatefulSet').spec.volumeClaimTemplates.map(
      ({ metadata }) => metadata.name,
    );
    const volumes = [...(pod.volumes ?? []).map(({ name }) => name), ...claims];
    t.deepEqual(mounts.map(({ name }) => name).toSorted(), volumes.toSorted());

    const [endpoint] = get(manifests, 'ServiceMonitor').spec.endpoints;
    t.is(endpoint?.scheme, 'https');
    t.true(plugins.some(({ plugin }) => plugin === 'prometheus'));
    const running = await startAgent(t, { 'metrics.provider': 'prometheus' });
    for (const path of [endpoint?.path, agent.livenessProbe.httpGet.path])
      t.is((await fetch(`${running.url}${path}`)).status, 200);
  });
}

/** Loads the settings like the sidecar, with the files of its volumes in a directory. */
function settingsOf(
  t: ExecutionContext,
  { kind, manifests, agent }: Pick<Sidecar, 'kind' | 'manifests' | 'agent'>,
): ReturnType<typeof loadSettings> & { cwd: string; variables: Readonly<Record<string, string>> } {
  const [config, file] = ['/etc/fabric-ops-agent/agent.yaml', `${kind === 'peer' ? 'core' : 'orderer'}.yaml`];
  const cwd = temporaryFolder(t, {
    ...get(manifests, 'ConfigMap', `${kind}0-ops-agent`).data,
    [file]: NODE_FILES[kind],
  });
  const { data: variables } = get(manifests, 'ConfigMap', agent.envFrom?.[0]?.configMapRef.name);
  t.deepEqual(agent.args, [
    'fabric-ops-agent',
    'start',
    '--config',
    config,
    '--node',
    `/etc/hyperledger/fabric/${file}`,
  ]);
  const loaded = loadSettings({
    files: [join(cwd, 'agent.yaml')],
    nodes: [join(cwd, file)],
    flags: [],
    environment: {
      ...variables,
      ...Object.fromEntries((agent.env ?? []).map(({ name, value }) => [name, value])),
    },
    cwd,
  });
  return { ...loaded, cwd, variables };
}

test('the translator starts with the arguments of its manifest and responds to its probe', async (t) => {
  const [program, ...args] = translatorContainer.args;
  t.is(program, 'configtxlator');
  t.true(args.includes(`--port=${translatorContainer.ports[0]?.containerPort}`));
  const free = args.map((each) => each.replace(/^--port=.*/, '--port=0'));
  const running = startProgram(t, free, { program: TRANSLATOR });
  const [, port] = await running.line(/Serving HTTP requests on 0\.0\.0\.0:(\d+)/);
  const { path } = translatorContainer.readinessProbe!.httpGet;
  t.is((await fetch(`http://127.0.0.1:${port}${path}`)).status, 200);
});

test('config check accepts the configuration of the image', async (t) => {
  const { status, stderr } = await runProgram(t, [
    'config',
    'check',
    '--config',
    'config/deploy/container.yaml',
  ]);
  t.is(stderr, '');
  t.is(status, 0);
});
