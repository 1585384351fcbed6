// The files of a new plugin package, for each kind of plugin: its definition, a test with the contract suite of its kind, and how to build and
// use it. They are compiled and run in the project of the author, not here; `test/e2e/new-plugin.test.ts` does it.

/** A kind of plugin, and what its template does. */
interface Template {
  /** One sentence without its subject, for the README and the manifest. */
  readonly does: string;
  /** The definition of the plugin; NAME is its name. */
  readonly source: string;
  /** The contract test. */
  readonly test: string;
  /** Options for the example of the README, one line of YAML. */
  readonly options: string;
}

/** The helper for tests that need a directory. */
const DIRECTORY = `/** A new directory with empty files, and the function that removes it. */
function directory(...files: string[]) {
  const path = mkdtempSync(join(tmpdir(), 'NAME-'));
  for (const file of files) writeFileSync(join(path, file), '');
  return { path, release: () => rmSync(path, { recursive: true }) };
}
`;

const WITH_DIRECTORY = `import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
`;

const TEMPLATES = {
  checker: {
    does: 'fails when too many files wait in a directory',
    options: '{ directory: /var/spool/NAME, most: 10 }',
    source: `import { readdir } from 'node:fs/promises';
import { defineHealthChecker } from 'fabric-ops-agent/plugin';

export default defineHealthChecker({
  name: 'NAME',
  apiVersion: '^1.0',
  options: {
    directory: { format: 'path', doc: 'directory with waiting files' },
    most: { format: Number, default: 3, doc: 'maximum number of waiting files' },
    files: { format: ['all', 'visible'], default: 'all', doc: 'which files are counted' },
  },
  create({ options, metrics, log }) {
    const waiting = metrics.gauge({ namespace: 'backlog', name: 'files', help: 'Number of waiting files.' });
    return {
      // The check fails when it throws; the message is the reason that operators see.
      async check(signal) {
        const names = await readdir(options.directory);
        signal.throwIfAborted();
        const count = names.filter((name) => options.files === 'all' || !name.startsWith('.')).length;
        waiting.set(count);
        log.debug('counted', { count });
        if (count > options.most) throw new Error(\`\${count} waiting files, limit \${options.most}\`);
      },
    };
  },
});
`,
    test: `${WITH_DIRECTORY}import test from 'ava';
import { healthCheckerCases } from 'fabric-ops-agent/testing';
import plugin from './index.js';

${DIRECTORY}
function waiting(...files: string[]) {
  const { path, release } = directory(...files);
  return { options: { directory: path, most: 1, files: 'visible' } as const, release };
}

const cases = healthCheckerCases(plugin, {
  healthy: () => waiting('a', '.hidden'),
  unhealthy: () => waiting('a', 'b'),
});
for (const { title, run } of cases) test(title, () => run());
`,
  },
  sink: {
    does: 'appends the metrics of the agent to a file',
    options: '{ file: /var/log/NAME.txt }',
    source: `import { writeFile } from 'node:fs/promises';
import { defineMetricSink } from 'fabric-ops-agent/plugin';

export default defineMetricSink({
  name: 'NAME',
  apiVersion: '^1.0',
  options: {
    file: { format: 'path', doc: 'output file' },
    interval: { format: 'duration', default: '10s', doc: 'time between flushes' },
  },
  create: ({ options }) => ({
    push: {
      interval: options.interval,
      // A flush that rejects gets the same growth again in the next batch.
      async flush({ counters, gauges }, signal) {
        const lines = [...counters, ...gauges].map(
          ({ subsystem, name, value }) => \`\${subsystem}.\${name} \${value}\\n\`,
        );
        await writeFile(options.file, lines.join(''), { flag: 'a', signal });
      },
    },
  }),
});
`,
    test: `${WITH_DIRECTORY}import test from 'ava';
import { pushSinkCases } from 'fabric-ops-agent/testing';
import plugin from './index.js';

${DIRECTORY}
const cases = pushSinkCases(plugin, {
  accepting: () => {
    const { path, release } = directory();
    return { options: { file: join(path, 'lines'), interval: 1000 }, release };
  },
  unreachable: () => ({ options: { file: '/no/such/directory/lines', interval: 1000 } }),
});
for (const { title, run } of cases) test(title, () => run());
`,
  },
  source: {
    does: 'reads the load of the machine',
    options: '{ file: /proc/loadavg }',
    source: `import { readFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import { defineMetricSource } from 'fabric-ops-agent/plugin';

const FAMILY = {
  name: 'machine_load',
  help: 'Load of the machine in the last minute.',
  type: 'gauge',
  parts: { namespace: 'machine', subsystem: '', name: 'load' },
} as const;

export default defineMetricSource({
  name: 'NAME',
  apiVersion: '^1.0',
  options: { file: { format: 'path', default: '/proc/loadavg', doc: 'file with the load' } },
  create: ({ options }) => ({
    async read(signal) {
      const [load = ''] = (await readFile(options.file, { encoding: 'utf8', signal })).split(' ');
      // When the start time changes, all values have begun again at zero.
      return {
        startTime: Math.round(Date.now() / 1000 - uptime()),
        families: [{ ...FAMILY, series: [{ labels: {}, value: Number(load) }] }],
      };
    },
  }),
});
`,
    test: `import test from 'ava';
import { metricSourceCases } from 'fabric-ops-agent/testing';
import plugin from './index.js';

const cases = metricSourceCases(plugin, {
  readable: () => ({ options: { file: '/proc/loadavg' } }),
  unreadable: () => ({ options: { file: '/no/such/file' } }),
});
for (const { title, run } of cases) test(title, () => run());
`,
  },
  notifier: {
    does: 'appends events to a file',
    options: '{ file: /var/log/NAME.txt }',
    source: `import { writeFile } from 'node:fs/promises';
import { defineNotifier } from 'fabric-ops-agent/plugin';

export default defineNotifier({
  name: 'NAME',
  apiVersion: '^1.0',
  options: { file: { format: 'path', doc: 'file to append to' } },
  create: ({ options }) => ({
    schedule: { groupFor: 0 },
    // A call that resolves accepts the events; after a call that rejects, the agent calls it again.
    async notify({ cause, events }, signal) {
      const lines = events.map(
        ({ state, component, reason }) => \`\${cause} \${state} \${component}: \${reason}\\n\`,
      );
      await writeFile(options.file, lines.join(''), { flag: 'a', signal });
    },
  }),
});
`,
    test: `${WITH_DIRECTORY}import test from 'ava';
import { notifierCases } from 'fabric-ops-agent/testing';
import plugin from './index.js';

${DIRECTORY}
const cases = notifierCases(plugin, {
  accepting: () => {
    const { path, release } = directory();
    return { options: { file: join(path, 'events') }, release };
  },
  unreachable: () => ({ options: { file: '/no/such/directory/events' } }),
});
for (const { title, run } of cases) test(title, () => run());
`,
  },
  logging: {
    does: 'appends the log of the agent to a file',
    options: '{ file: /var/log/NAME.log }',
    source: `import { appendFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { defineLoggingBackend, LeveledLoggers } from 'fabric-ops-agent/plugin';

export default defineLoggingBackend({
  name: 'NAME',
  apiVersion: '^1.0',
  options: { file: { format: 'path', doc: 'output file' } },
  create: ({ options: { file } }) =>
    new LeveledLoggers({
      write: ({ level, name, message, fields }) => {
        const details = fields === undefined ? '' : \` \${inspect(fields, { breakLength: Infinity })}\`;
        appendFileSync(file, \`\${level} \${name}: \${message}\${details}\\n\`);
      },
    }),
});
`,
    test: `${WITH_DIRECTORY}import test from 'ava';
import { loggingBackendCases } from 'fabric-ops-agent/testing';
import plugin from './index.js';

${DIRECTORY}
const cases = loggingBackendCases(plugin, () => {
  const { path, release } = directory();
  return { options: { file: join(path, 'log') }, release };
});
for (const { title, run } of cases) test(title, () => run());
`,
  },
} as const satisfies Readonly<Record<string, Template>>;

/** A kind of plugin that has a template. */
export type TemplateKind = keyof typeof TEMPLATES;

/** The kinds of plugins that have a template. */
export const TEMPLATE_KINDS = Object.keys(TEMPLATES) as TemplateKind[];

/** What the package needs besides the agent: the versions with which the agent itself is built and tested. */
export const TEMPLATE_DEPENDENCIES = {
  '@types/node': '20.19.24',
  ava: '7.0.0',
  typescript: '7.0.2',
} as const;

const asJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const COMPILER_OPTIONS = {
  target: 'es2022',
  module: 'nodenext',
  strict: true,
  exactOptionalPropertyTypes: true,
  rootDir: 'src',
  outDir: 'dist',
  types: ['node'],
};

const readmeOf = (name: string, kind: TemplateKind, version: string): string => `# ${name}

A plugin of fabric-ops-agent, of the kind ${kind}, that ${TEMPLATES[kind].does}.

Build and test it. The agent is not published: \`npm pack\` in a clone of it writes the tarball.

\`\`\`sh
npm install --save-dev ../fabric-ops-agent-${version}.tgz
npm test
npm pack
\`\`\`

Use it: install it in the directory of the configuration file, and declare it there.

\`\`\`sh
npm install ./${name}-1.0.0.tgz
fabric-ops-agent config check --config agent.yaml
\`\`\`

\`\`\`yaml
# agent.yaml
plugins:
  - plugin: ${name}
    options: ${TEMPLATES[kind].options.replaceAll('NAME', name)}
\`\`\`

\`src/index.ts\` is the plugin. \`src/index.test.ts\` runs the contract suite of its kind: what the agent expects of each plugin of this kind. The plugin API
is described in \`node_modules/fabric-ops-agent/core/contract/README.md\`.
`;

/**
 * The files of a new plugin package, by their paths.
 *
 * @param name the name of the package and of the plugin
 * @param version the version of the agent
 */
export function templateFiles(
  kind: TemplateKind,
  name: string,
  version: string,
): ReadonlyMap<string, string> {
  const { does, source, test } = TEMPLATES[kind];
  const manifest = {
    name,
    version: '1.0.0',
    description: `A plugin of fabric-ops-agent that ${does}`,
    type: 'module',
    exports: './dist/index.js',
    files: ['dist', '!dist/*.test.js'],
    scripts: { build: 'tsc', test: 'tsc && ava', prepack: 'tsc' },
    // Optional: npm does not search the registry for the agent when a plugin is installed.
    peerDependencies: { 'fabric-ops-agent': `>=${version}` },
    peerDependenciesMeta: { 'fabric-ops-agent': { optional: true } },
    devDependencies: TEMPLATE_DEPENDENCIES,
    ava: { files: ['dist/*.test.js'], failWithoutAssertions: false },
  };
  return new Map([
    ['package.json', asJson(manifest)],
    ['tsconfig.json', asJson({ compilerOptions: COMPILER_OPTIONS, include: ['src'] })],
    ['.gitignore', 'dist/\nnode_modules/\n'],
    ['README.md', readmeOf(name, kind, version)],
    ['src/index.ts', source.replaceAll('NAME', name)],
    ['src/index.test.ts', test.replaceAll('NAME', name)],
  ]);
}
