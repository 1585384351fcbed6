// Compiles the Kubernetes manifests against the types of the API, which refuse unknown members as well as wrong types.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'ava';
import { parse, parseAllDocuments } from 'yaml';
import { compile } from '../../helpers/compile.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { findProgram } from '../../e2e/provision.js';

const MANIFESTS = 'config/deploy/kubernetes';
/** Packages with the types of Kubernetes and of the Prometheus operator. */
const MODELS = {
  core: 'kubernetes-models',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
};

/** A TypeScript module that assigns each document to the type of its kind. */
function moduleOf(text: string): string {
  return parseAllDocuments(text)
    .map((document, index) => {
      const manifest = document.toJS() as { apiVersion: string; kind: string };
      const [group = ''] = manifest.apiVersion.split('/');
      const models = group === 'monitoring.coreos.com' ? MODELS[group] : MODELS.core;
      const module = join(process.cwd(), 'node_modules', models, manifest.apiVersion, 'index.js');
      return `import type { I${manifest.kind} as T${index} } from ${JSON.stringify(module)};
export const manifest${index}: T${index} = ${JSON.stringify(manifest, null, 1)};`;
    })
    .join('\n');
}

test('every manifest has the members and types of the Kubernetes API; a wrong one is an error', (t) => {
  const names = ['peer/peer', 'orderer/orderer', 'configtxlator'];
  const files = names.map((name) => [
    `${name.replace('/', '-')}.mts`,
    moduleOf(readFileSync(join(MANIFESTS, `${name}.yaml`), 'utf8')),
  ]);
  const service = 'apiVersion: v1\nkind: Service\nspec:';
  const wrong = `${service} { ports: [{ port: '80' }] }\n---\n${service} { selectors: {} }\n`;
  files.push(['wrong.mts', moduleOf(wrong)]);
  // One run of the compiler, which reads the types of the whole API.
  const errors = compile(temporaryFolder(t, Object.fromEntries(files)));
  const isExpected = (line: string): boolean => line.includes('wrong.mts(') || line.startsWith(' ');
  t.deepEqual(
    errors.filter((line) => !isExpected(line)),
    [],
  );
  t.regex(errors.join('\n'), /Type 'string' is not assignable to type 'number'/);
  t.regex(errors.join('\n'), /'"selectors"' does not exist/);
});

interface Kustomization {
  readonly resources: readonly string[];
  readonly configMapGenerator?: readonly { files?: readonly string[] }[];
  readonly secretGenerator?: readonly { files: readonly string[] }[];
}

const kustomizationIn = (folder: string): Kustomization =>
  parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8')) as Kustomization;

test('the bases of Kustomize contain the manifests, and the example contains a base', (t) => {
  for (const kind of ['peer', 'orderer'])
    t.deepEqual(kustomizationIn(join(MANIFESTS, kind)).resources, [`${kind}.yaml`]);
  t.deepEqual(kustomizationIn(join(MANIFESTS, 'example')).resources, ['../peer']);
});

const kubectl = findProgram('kubectl');
(kubectl === undefined ? test.skip : test)(
  'the example of Kustomize has the members and types of the Kubernetes API, and its own names everywhere',
  (t) => {
    const folder = temporaryFolder(t);
    cpSync(MANIFESTS, folder, { recursive: true });
    const example = join(folder, 'example');
    const { configMapGenerator = [], secretGenerator = [] } = kustomizationIn(example);
    for (const { files = [] } of [...configMapGenerator, ...secretGenerator])
      for (const file of files.map((each) => each.replace(/.*=/, ''))) {
        mkdirSync(join(example, dirname(file)), { recursive: true });
        writeFileSync(join(example, file), 'x');
      }
    const { stdout, stderr } = spawnSync(kubectl ?? '', ['kustomize', example], { encoding: 'utf8' });
    t.is(stderr, '');
    t.deepEqual(compile(temporaryFolder(t, { 'example.mts': moduleOf(stdout) })), []);
    const others = stdout.match(/(?<!org1-)peer0[-\w]*/g) ?? [];
    t.deepEqual(others, []);
    t.is(stdout.match(/serverName: org1-peer0-ops-agent/g)?.length, 1);
  },
);
