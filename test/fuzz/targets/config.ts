// Configuration files in YAML: they load, or every problem is reported on one line.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSettings, SettingsError } from '../../../config/index.js';
import type { Input, Outcome, Fixtures } from '../target.js';

const FILES = ['agent', 'peer', 'orderer', 'deploy/container'];

/** Pieces with a meaning in YAML or in our configuration. */
export const YAML_WORDS = [
  '&a ',
  '*a',
  '<<: *a\n',
  '&a [*a, *a]',
  '? ',
  ': ',
  '- ',
  '---\n',
  '...\n',
  '|\n',
  '>-\n',
  '\t',
  '#',
  '%',
  '!!binary ',
  '!!js/function ',
  '!<x> ',
  '"\\x',
  "'",
  '{',
  '}: ',
  '[',
  ']',
  '\r',
  '\u0085',
  '\ufeff',
  '\0',
  '__proto__: { polluted: 1 }\n',
  'constructor:\n  prototype: { polluted: 1 }\n',
  '{ polluted: 1 }',
  '0x7fffffffffffffffff',
  '1e999',
  '.nan',
  '-.inf',
  '~',
  'yes',
  '0o7',
  '2001-01-01',
  '1_000',
  '9999999h',
  'operations.tls: x\n',
  'Operations: {}\n',
  'peer: {}\n',
  'node: { config: a.yaml }\n',
  'nodes: [ { config: *a, name: x } ]\n',
  'plugins: [ { plugin: x, options: { a: *a } } ]\n',
];

const EVERY_SETTING = `operations:
  listenAddress: 127.0.0.1:9443
  tls: { enabled: true, cert: { file: a.pem }, key: { file: b.pem }, clientRootCAs: { files: [c.pem, d.pem] } }
health: { timeout: 10s, cacheFor: 1s }
metrics:
  provider: statsd
  maxSeries: 100
  statsd: { network: udp, address: '127.0.0.1:8125', writeInterval: 10s, prefix: a }
logging:
  spec: info
  format: '%{color}%{time:2006-01-02 15:04:05.000 MST} [%{module}] %{shortfunc} -> %{level:.4s} %{id:03x}%{color:reset} %{message}'
plugins:
  - { plugin: ./disk.js, name: disk, onStartError: retry, options: &o { path: /var, deep: { list: [1, two, null] } } }
  - plugin: statsd
    options: *o
`;

/** The packaged files, and one file with every setting. */
export function configSamples(): readonly Input[] {
  const texts = [...FILES.map((name) => readFileSync(`config/${name}.yaml`, 'utf8')), EVERY_SETTING];
  return texts.map((text) => ({ target: 'config', type: '', bytes: Buffer.from(text) }));
}

/** @throws any error that is not a proper refusal */
export function runConfig({ bytes }: Input, { folder }: Fixtures): Outcome {
  writeFileSync(join(folder, 'agent.yaml'), bytes);
  try {
    loadSettings({ files: ['agent.yaml'], flags: [], environment: {}, cwd: folder });
    return 'accepted';
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    checkProblems(error);
    return 'refused';
  } finally {
    checkPrototypes();
  }
}

function checkProblems({ problems }: SettingsError): void {
  const bad = problems.find((problem) => problem.trim() === '' || /[\n\r]/.test(problem));
  if (problems.length === 0 || bad !== undefined) throw new Error(`not one line: ${JSON.stringify(bad)}`);
}

const OWN_KEYS = [Object, Array, Map, Function].map((type) => [type, keysOf(type)] as const);

function keysOf(type: { readonly prototype: unknown }): string {
  return Reflect.ownKeys(type.prototype as object)
    .map(String)
    .join();
}

/** Detects prototype pollution. */
function checkPrototypes(): void {
  const polluted = OWN_KEYS.find(([type, keys]) => keysOf(type) !== keys);
  if (polluted !== undefined) throw new Error(`the prototype of ${polluted[0].name} was changed`);
}
