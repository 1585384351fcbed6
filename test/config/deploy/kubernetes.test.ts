// Compares the manifests and sample files with the behavior of the programs.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { parseAllDocuments } from 'yaml';
import { loadSettings } from '../../../core/settings.js';
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
  readonly env: readonly { name: string; value: string }[];
  readonly ports: readonly Port[];
  readonly readinessProbe: {
    httpGet: { path: string; port: string; scheme?: string };
    timeoutSeconds: number;
  };
  readonly livenessProbe: { httpGet: { path: string; port: string; scheme?: string } };
  readonly volumeMounts?: readonly { name: string; mountPath: string }[];
}

interface Pod {
  readonly containers: readonly Container[];
  readonly volumes?: readonly { name: string; secret?: { defaultMode: number } }[];
  readonly securityContext?: { fsGroup?: number };
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
  };
}

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

/** The manifests of a file by kind. */
function manifestsIn(name: string): ReadonlyMap<string, Manifest> {
  const file = fileURLToPath(new URL(`../../../../config/deploy/kubernetes/${name}`, import.meta.url));
  const documents = parseAllDocuments(readFileSync(file, 'utf8'));
  const errors = documents.flatMap((document) => [...document.errors, ...document.warnings]);
  if (errors.length > 0) throw new Error(errors.join('\n'));
  return new Map(documents.map((each) => each.toJS() as Manifest).map((each) => [each.kind, each]));
}

function get(manifests: ReadonlyMap<string, Manifest>, kind: string): Manifest {
  const found = manifests.get(kind);
  if (found === undefined) throw new Error(`there is no ${kind}`);
  return found;
}

/** A node with the agent as its sidecar. */
function sidecarOf(kind: 'peer' | 'orderer'): Sidecar {
  const manifests = manifestsIn(`${kind}-with-agent.yaml`);
  const pod = get(manifests, 'StatefulSet').spec.template.spec;
  const [node, agent] = [kind, 'ops-agent'].map((name) => pod.containers.find((each) => each.name === name));
  if (node === undefined || agent === undefined) throw new Error(`a container of ${kind} is missing`);
  return { kind, manifests, pod, node, agent };
}

interface Sidecar {
  readonly kind: 'peer' | 'orderer';
  readonly manifests: ReadonlyMap<string, Manifest>;
  readonly pod: Pod;
  readonly node: Container;
  readonly agent: Container;
}

const SIDECARS = [sidecarOf('peer'), sidecarOf('orderer')];
const translator = manifestsIn('configtxlator.yaml');
const translatorContainer = get(translator, 'Deployment').spec.template.spec.containers[0] as Container;

test('the files contain the manifests named in the README', (t) => {
  for (const { manifests } of SIDECARS)
    t.deepEqual([...manifests.keys()], ['ConfigMap', 'StatefulSet', 'Service', 'ServiceMonitor']);
  t.deepEqual([...translator.keys()], ['Deployment', 'Service']);
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
    const { spec: service } = get(manifests, 'Service');
    t.deepEqual(spec.selector.matchLabels, spec.template.metadata.labels);
    t.like(spec.template.metadata.labels, { ...service.selector });
    const ports = spec.template.spec.containers.flatMap((container) => container.ports);
    for (const { port, targetPort } of service.ports)
      t.is(ports.find(({ name }) => name === targetPort)?.containerPort, port);
  }
  for (const { manifests } of SIDECARS) {
    const { spec } = get(manifests, 'ServiceMonitor');
    const service = get(manifests, 'Service');
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
    [...manifests].map(([kind, { metadata }]) => `${kind} ${metadata.name}`),
  );
  t.is(new Set(names).size, names.length, names.join(', '));
});

test('the monitor of a node selects only the service that has the name of its certificate', (t) => {
  for (const { manifests } of SIDECARS) {
    const { spec } = get(manifests, 'ServiceMonitor');
    const { metadata } = get(manifests, 'Service');
    t.deepEqual(spec.selector.matchLabels, metadata.labels);
    t.deepEqual(
      spec.endpoints.map(({ tlsConfig }) => tlsConfig.serverName),
      [metadata.name],
    );
  }
});

for (const { kind, manifests, pod, node, agent } of SIDECARS) {
  test(`the sidecar of the ${kind} reads its key without an fsGroup, which would apply to the ledger, too`, (t) => {
    t.is(pod.securityContext?.fsGroup, undefined);
    const secret = pod.volumes?.find(({ name }) => name === 'operations-tls')?.secret;
    // Written 0444: octal in the YAML 1.1 of Kubernetes, decimal for this parser.
    t.is(secret?.defaultMode, 444);
    t.deepEqual(node.volumeMounts, undefined, 'only the agent mounts it');
  });

  test(`the sidecar of the ${kind} listens on the port of its probes and monitor, with the mounted certificates`, async (t) => {
    const cwd = temporaryFolder(t, get(manifests, 'ConfigMap').data);
    const environment = Object.fromEntries(agent.env.map(({ name, value }) => [name, value]));
    const mountedAt = '/etc/hyperledger/fabric';
    const beside = agent.args.flatMap((each, index) => (agent.args[index - 1] === '--beside' ? [each] : []));
    const { settings, warnings } = loadSettings({
      files: [],
      beside: beside.map((file) => file.replace(mountedAt, cwd)),
      flags: [],
      environment: { ...environment, FABRIC_CFG_PATH: cwd },
      cwd,
    });
    t.deepEqual(warnings, []);
    t.deepEqual(settings.nodes, [{ name: `${kind}0`, kind, isLabelled: true }]);
    const variable = `${kind === 'peer' ? 'CORE' : 'ORDERER'}_OPERATIONS_LISTENADDRESS`;
    const listens = node.env.find(({ name }) => name === variable)?.value;
    t.is(settings.plugins.find(({ plugin }) => plugin === 'node')?.options.address, listens);
    const { port, host } = settings.operations.listenAddress;
    t.is(host, '');
    t.deepEqual(agent.ports, [{ name: 'ops-agent', containerPort: port }]);
    const probe = { port: 'ops-agent', scheme: 'HTTPS' };
    t.deepEqual(agent.livenessProbe.httpGet, { path: '/livez', ...probe });
    t.deepEqual(agent.readinessProbe.httpGet, { path: '/readyz', ...probe });
    t.true(settings.operations.tls.enabled);
    const timeout = settings.health.timeout / 1000;
    t.true(
      agent.readinessProbe.timeoutSeconds > timeout,
      'a late check is reported before the probe gives up',
    );

    const { certFile, keyFile, clientRootCAFiles } = settings.operations.tls;
    const mounts = agent.volumeMounts ?? [];
    for (const file of [certFile, keyFile, ...clientRootCAFiles])
      t.true(
        mounts.some(({ mountPath }) => file.startsWith(`${mountPath}/`)),
        file,
      );
    t.deepEqual(mounts.map(({ name }) => name).sort(), (pod.volumes ?? []).map(({ name }) => name).sort());

    const [endpoint] = get(manifests, 'ServiceMonitor').spec.endpoints;
    t.is(endpoint?.scheme, 'https');
    t.true(settings.plugins.some(({ plugin }) => plugin === 'prometheus'));
    const running = await startAgent(t, { 'metrics.provider': 'prometheus' });
    for (const path of [endpoint?.path, agent.livenessProbe.httpGet.path, agent.readinessProbe.httpGet.path])
      t.is((await fetch(`${running.url}${path}`)).status, 200);
  });
}

test('the translator starts with the arguments of its manifest and responds to its probe', async (t) => {
  const [program, ...args] = translatorContainer.args;
  t.is(program, 'configtxlator');
  t.true(args.includes(`--port=${translatorContainer.ports[0]?.containerPort}`));
  const free = args.map((each) => each.replace(/^--port=.*/, '--port=0'));
  const running = startProgram(t, free, { program: TRANSLATOR });
  const [, port] = await running.line(/Serving HTTP requests on 0\.0\.0\.0:(\d+)/);
  const { path } = translatorContainer.readinessProbe.httpGet;
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
