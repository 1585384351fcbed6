// Compiles the Kubernetes manifests against the types of the API, which refuse unknown members as well as wrong types.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { parseAllDocuments } from 'yaml';
import { compile } from '../../helpers/compile.js';
import { temporaryFolder } from '../../helpers/folder.js';

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
  const names = readdirSync(MANIFESTS).filter((name) => name.endsWith('.yaml'));
  t.is(names.length, 3);
  const files = names.map((name) => [`${name}.mts`, moduleOf(readFileSync(join(MANIFESTS, name), 'utf8'))]);
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
