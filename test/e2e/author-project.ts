// The files of a plugin package: a health checker, a metric sink, a logging backend, and their tests. They are compiled and run in the
// project of the plugin author, not here.

import { templateFiles, type TemplateKind } from '../../core/cli/plugin-template.js';

/** The plugin of a template of `plugins new`, under another name. */
const pluginOf = (kind: TemplateKind, name: string, version: string): string =>
  templateFiles(kind, name, version).get('src/index.ts') ?? '';

const CONTRACT_TEST = `import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { healthCheckerCases, loggingBackendCases, pushSinkCases } from 'fabric-ops-agent/testing';
import backlog from './index.js';
import journal from './journal.js';
import lines from './lines.js';

function directory(...files: string[]) {
  const path = mkdtempSync(join(tmpdir(), 'backlog-'));
  for (const file of files) writeFileSync(join(path, file), '');
  return { path, release: () => rmSync(path, { recursive: true }) };
}

function waiting(...files: string[]) {
  const { path, release } = directory(...files);
  return { options: { directory: path, most: 1, files: 'visible' } as const, release };
}

const cases = [
  ...healthCheckerCases(backlog, {
    healthy: () => waiting('a', '.hidden'),
    unhealthy: () => waiting('a', 'b'),
  }),
  ...pushSinkCases(lines, {
    accepting: () => {
      const { path, release } = directory();
      return { options: { file: join(path, 'lines'), interval: 1000 }, release };
    },
    unreachable: () => ({ options: { file: '/no/such/directory/lines', interval: 1000 } }),
  }),
  ...loggingBackendCases(journal, () => {
    const { path, release } = directory();
    return { options: { file: join(path, 'journal') }, release };
  }),
];

for (const { title, run } of cases) test(title, run);
`;

/** A checker with two faults that the contract suite finds: it is always healthy, and it cannot be stopped twice. */
const BROKEN_TEST = `import test from 'node:test';
import { defineHealthChecker } from 'fabric-ops-agent/plugin';
import { healthCheckerCases } from 'fabric-ops-agent/testing';

const careless = defineHealthChecker({
  name: 'careless',
  create() {
    let isOpen = false;
    return {
      start() {
        isOpen = true;
      },
      check() {},
      stop() {
        if (!isOpen) throw new Error('cannot close what is closed');
        isOpen = false;
      },
    };
  },
});

const none = () => ({ options: {} });
for (const { title, run } of healthCheckerCases(careless, { healthy: none, unhealthy: none })) test(title, run);
`;

/** Mistakes that the TypeScript compiler reports. */
const MISTAKES = `import { defineHealthChecker, defineMetricSink } from 'fabric-ops-agent/plugin';

export const mistakes = [
  defineHealthChecker({
    name: 'a',
    options: { most: { format: Number, default: 1, doc: 'maximum' } },
    // @ts-expect-error -- unknown option
    check: ({ options }) => void options.minimum,
  }),
  // @ts-expect-error -- an option needs a doc
  defineHealthChecker({ name: 'b', options: { most: { format: Number } }, check() {} }),
  // @ts-expect-error -- a sink has a route or a push
  defineMetricSink({ name: 'c', create: () => ({}) }),
];
`;

/** The name of the package. */
export const NAME = 'fabric-check-backlog';

/** Returns the files of the package. @param version the version of the agent that it targets */
export const authorFiles = (version: string): Readonly<Record<string, string>> => ({
  'package.json': JSON.stringify({
    name: NAME,
    version: '1.0.0',
    type: 'module',
    exports: { '.': './dist/index.js', './lines': './dist/lines.js', './journal': './dist/journal.js' },
    files: ['dist', '!dist/*.test.js'],
    peerDependencies: { 'fabric-ops-agent': `^${version}` },
  }),
  'tsconfig.json': templateFiles('checker', NAME, version).get('tsconfig.json') ?? '',
  'src/index.ts': pluginOf('checker', 'backlog', version),
  'src/lines.ts': pluginOf('sink', 'lines', version),
  'src/journal.ts': pluginOf('logging', 'journal', version),
  'src/contract.test.ts': CONTRACT_TEST,
  'src/careless.test.ts': BROKEN_TEST,
  'src/mistakes.test.ts': MISTAKES,
});
