// Enforces which directory may import which, and that no files import each other in a cycle. A broken rule fails with a sentence
// that names the import.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import test from 'ava';
import { findCycles } from './helpers/import-cycles.js';

/** A directory with rules. */
interface Rules {
  /** What it has, for the reader of this table. */
  readonly contents: string;
  /** What it may import besides itself. */
  readonly imports: readonly Directory[];
}

const DIRECTORIES = [
  'core/common/',
  'core/contract/',
  'core/kit/',
  'core/testing/',
  'core/http/',
  'core/host/',
  'core/fabric/',
  'core/health/',
  'core/logging/',
  'core/metrics/',
  'core/status/',
  'core/events/',
  'core/nodes/',
  'core/channels/',
  'core/agents/',
  'core/page/',
  'core/cli/',
  'core/tools/',
  'core/',
  'plugins/',
  'translator/public/',
  'translator/page/',
  'translator/',
  'proto/',
  'config/',
  'test/',
] as const;

type Directory = (typeof DIRECTORIES)[number];

const LOWER: readonly Directory[] = ['core/common/', 'core/contract/', 'core/kit/', 'config/'];

/** The most specific directories first: a file belongs to the first one that its path begins with. */
const RULES: Readonly<Record<Directory, Rules>> = {
  'core/common/': {
    contents: 'what both programs share: texts, files, certificates, flow control, HTTP servers',
    imports: [],
  },
  'core/contract/': { contents: 'the plugin API', imports: ['core/common/'] },
  'core/kit/': { contents: 'what plugins use besides the API', imports: ['core/common/', 'core/contract/'] },
  'core/testing/': {
    contents: 'the contract suites',
    imports: ['core/common/', 'core/contract/', 'core/kit/'],
  },
  'core/http/': { contents: 'the HTTP server of the agent', imports: LOWER },
  'core/host/': { contents: 'loads plugins and runs their lifecycle', imports: LOWER },
  'core/fabric/': {
    contents: 'what a Fabric node and a channel are: for the agent and for the tools',
    imports: [...LOWER, 'translator/public/'],
  },
  // Their route files need the types and helpers of routes.
  'core/health/': { contents: 'runs the checks', imports: [...LOWER, 'core/host/', 'core/http/'] },
  'core/logging/': { contents: 'the active logging backend', imports: [...LOWER, 'core/http/'] },
  'core/metrics/': {
    contents: 'instruments, sources and sinks',
    imports: [...LOWER, 'core/host/', 'core/http/'],
  },
  'core/status/': {
    contents: 'the document with the state of the agent, its nodes and its problems',
    imports: [...LOWER, 'core/fabric/', 'core/health/', 'core/host/', 'core/http/', 'core/logging/'],
  },
  // Failures come from health checks; an event in JSON is a problem of the status.
  'core/events/': {
    contents: 'what fails, recovers or happens',
    imports: [...LOWER, 'core/fabric/', 'core/host/', 'core/http/', 'core/health/', 'core/status/'],
  },
  'core/nodes/': {
    contents: 'a Fabric node as an object',
    imports: [...LOWER, 'core/host/', 'core/http/', 'core/logging/', 'core/status/'],
  },
  'core/channels/': {
    contents: 'the channels of all nodes: whether they work, and what changes',
    imports: [...LOWER, 'core/fabric/', 'core/health/', 'core/nodes/', 'core/status/'],
  },
  'core/agents/': {
    contents: 'the agents of other hosts',
    imports: [...LOWER, 'core/health/', 'core/status/'],
  },
  'core/page/': {
    contents: 'the page of the agent, which runs in browsers',
    imports: ['core/common/', 'config/', 'core/status/'],
  },
  'core/cli/': {
    contents:
      'the commands that run the agent or talk to it; only `core/cli/run.ts` imports `core/tools/`, and only dynamically',
    imports: [...LOWER, 'core/', 'core/channels/', 'core/health/', 'core/host/', 'core/status/'],
  },
  'core/tools/': {
    contents:
      'the commands that need no running agent: `check`, `bundle`, `preflight`, `snapshot`, `rescue`, `demo`',
    imports: [
      ...LOWER,
      'core/',
      'core/fabric/',
      'core/health/',
      'core/host/',
      'core/http/',
      'core/metrics/',
      'core/status/',
      'core/cli/',
      'translator/public/',
      'translator/',
    ],
  },
  'core/': {
    contents: 'the files directly in it build the agent; only `core/built-in.ts` names plugins',
    imports: [
      ...LOWER,
      'core/http/',
      'core/host/',
      'core/fabric/',
      'core/metrics/',
      'core/health/',
      'core/logging/',
      'core/events/',
      'core/status/',
      'core/nodes/',
      'core/channels/',
      'core/agents/',
      'core/cli/',
    ],
  },
  'plugins/': {
    contents: 'the built-in plugins, each in a directory `plugins/<kind>/<name>/`',
    imports: ['core/contract/', 'core/kit/', 'translator/public/'],
  },
  'translator/public/': {
    contents:
      'the subpaths of `fabric-ops-agent/translator`, by whose names the agent and its plugins import the translator',
    imports: ['translator/', 'proto/'],
  },
  'translator/page/': {
    contents: 'the channel page, which runs in browsers',
    imports: ['core/common/', 'proto/', 'translator/'],
  },
  'translator/': {
    contents: '`configtxlator`: its library, command line and HTTP service',
    imports: ['core/common/', 'proto/', 'translator/public/'],
  },
  'proto/': {
    contents: "Fabric's protobuf messages: schema, bytes to JSON and back",
    imports: ['core/common/'],
  },
  'config/': {
    contents:
      'settings from files, environment and flags; sample files, deployment examples in `config/deploy/`',
    imports: ['core/common/'],
  },
  'test/': {
    contents:
      'mirrors the other directories; `test/e2e/` runs real programs, `test/bench/` measures, `test/fuzz/` fuzzes',
    imports: DIRECTORIES,
  },
};

/** Single files that may import more than their directory may. */
const EXCEPTIONS: ReadonlyMap<string, readonly Directory[]> = new Map<string, readonly Directory[]>([
  ['core/cli/run.ts', ['core/tools/']],
]);

interface Import {
  readonly file: string;
  readonly target: string;
  readonly isDynamic: boolean;
}

function sourcesIn(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
}

const sources = ['core', 'plugins', 'translator', 'proto', 'config'].filter(existsSync).flatMap(sourcesIn);

// Static imports and re-exports (types included), side-effect imports, and dynamic imports.
const IMPORT = /^(?:import|export)\b[^;'"]*?\bfrom '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm;

const importsOf = (file: string): Import[] =>
  [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, from, bare, dynamic]) => ({
    file,
    target: from ?? bare ?? dynamic ?? '',
    isDynamic: dynamic !== undefined,
  }));

/** It imports nothing: what looks like imports is the text of new plugins. */
const TEMPLATE = 'core/cli/plugin-template.ts';

const imports: readonly Import[] = sources.filter((file) => file !== TEMPLATE).flatMap(importsOf);

const directoryOf = (path: string): Directory | undefined =>
  DIRECTORIES.find((directory) => path.startsWith(directory));

/** The subpath in an import of the translator by the name of the package; empty for its root. */
const SUBPATH = /^fabric-ops-agent\/translator(?:\/(\w+))?$/;

/** The path from the root of an import of our own; undefined for packages. */
function ownPath({ file, target }: Import): string | undefined {
  const subpath = SUBPATH.exec(target);
  if (subpath !== null) return `translator/public/${subpath[1] ?? 'index'}.js`;
  // Names of package.json, `imports`: the page gets the types of built files, because sources of others need the types of Node.js.
  if (target.startsWith('#')) return target.slice(1);
  return target.startsWith('.') ? normalize(join(dirname(file), target)) : undefined;
}

/** The source file that an import of our own names. */
const fileOf = (each: Import): string => ownPath(each)?.replace(/\.js$/, '.ts') ?? each.target;

test('there are sources and imports to look at', (t) => {
  t.true(sources.length > 50);
  t.true(imports.length > 200);
});

test('every import between directories is allowed', (t) => {
  const broken = imports.flatMap((each) => {
    const to = ownPath(each);
    const from = directoryOf(each.file);
    const target = to === undefined ? undefined : directoryOf(to);
    if (from === undefined || target === undefined || from === target) return [];
    if (RULES[from].imports.includes(target) || EXCEPTIONS.get(each.file)?.includes(target) === true)
      return [];
    return [
      `${from} may import ${RULES[from].imports.join(', ') || 'nothing of ours'}, but ${each.file} imports ${each.target}`,
    ];
  });
  t.deepEqual(broken, []);
});

test('a command loads no other command: core/cli/run.ts imports each dynamically', (t) => {
  const commands = importsOf('core/cli/run.ts').filter((each) => {
    const path = ownPath(each) ?? '';
    return /^core\/(?:cli|tools)\//.test(path) && path !== 'core/cli/command.js';
  });
  t.true(commands.length > 10);
  t.deepEqual(
    commands.filter(({ isDynamic }) => !isDynamic),
    [],
  );
});

/** The files and packages that a built file loads with its static imports, and theirs. */
function loadedBy(file: string, found = new Set<string>()): ReadonlySet<string> {
  for (const each of importsOf(file).filter(({ isDynamic }) => !isDynamic)) {
    const path = ownPath(each) ?? each.target;
    if (found.has(path)) continue;
    found.add(path);
    if (existsSync(path)) loadedBy(path, found);
  }
  return found;
}

for (const command of ['version', 'healthcheck', 'status', 'silence'])
  test(`the command ${command} does not load the server of the agent`, (t) => {
    const found = loadedBy(`dist/core/cli/${command}.js`);
    t.true(found.has('dist/core/cli/command.js'));
    t.false(found.has('dist/core/http/server.js'));
  });

test('no other directory imports tools statically', (t) => {
  const fromOutside = imports.filter(
    (each) => ownPath(each)?.startsWith('core/tools/') === true && directoryOf(each.file) !== 'core/tools/',
  );
  t.true(fromOutside.length > 0);
  t.deepEqual(
    fromOutside.filter(({ isDynamic }) => !isDynamic),
    [],
  );
});

test('no files import each other in a cycle, type imports included', (t) => {
  const graph = (files: readonly string[]): Map<string, string[]> =>
    new Map(
      files.map((file) => [
        file,
        importsOf(file).flatMap((each) => ownPath(each)?.replace(/\.js$/, '.ts') ?? []),
      ]),
    );
  t.deepEqual(findCycles(graph([...sources, ...sourcesIn('test')])), []);
});
test('a plugin imports nothing of another plugin', (t) => {
  const pluginOf = (path: string): string => path.split('/').slice(0, 3).join('/');
  const broken = imports.filter((each) => {
    const to = ownPath(each);
    return (
      each.file.startsWith('plugins/') &&
      to?.startsWith('plugins/') === true &&
      pluginOf(to) !== pluginOf(each.file)
    );
  });
  t.deepEqual(broken, []);
});

/** The directory of the translator that a file is in; undefined for the files directly in translator/, which make the entries of the package. */
const moduleOf = (path: string): string | undefined => /^translator\/([^/]+)\//.exec(path)?.[1];

const betweenModules = imports.flatMap((each) => {
  const to = ownPath(each)?.replace(/\.js$/, '.ts');
  const [from, target] = [moduleOf(each.file), to && moduleOf(to)];
  return from === undefined || to === undefined || target === undefined || from === target
    ? []
    : [
        {
          file: each.file,
          from,
          target,
          path: to.slice(`translator/${target}/`.length).replace(/\.ts$/, ''),
        },
      ];
});

/** Files that run in browsers: the index of their directory has what needs Node.js, too. */
const FOR_BROWSERS = ['ledger/base', 'ledger/block-file'];
/** Files that configtxlator loads for each command, for its flags and arguments: their index would load the whole directory. */
const FOR_COMMANDS = ['channel/address', 'edit/catalogue/index', 'msp/releases'];

test('what other directories of the translator import is in the index of a directory', (t) => {
  const found = betweenModules.filter(({ target, path }) => target !== 'public' && path !== 'index');
  const broken = found
    .filter(
      ({ from, target, path }) =>
        !FOR_BROWSERS.includes(`${target}/${path}`) &&
        !(from === 'cli' && FOR_COMMANDS.includes(`${target}/${path}`)),
    )
    .map(
      ({ file, target, path }) =>
        `${file} imports ${path}.ts of translator/${target}/; export what it needs from translator/${target}/index.ts`,
    );
  t.deepEqual(broken, []);
  t.deepEqual(
    [...new Set(found.map(({ target, path }) => `${target}/${path}`))].toSorted(),
    [...FOR_BROWSERS, ...FOR_COMMANDS].toSorted(),
  );
});

test('no directories of the translator import each other in a cycle', (t) => {
  const graph = new Map<string, string[]>();
  for (const { from, target } of betweenModules) {
    graph.set(from, [...(graph.get(from) ?? []), target]);
    if (!graph.has(target)) graph.set(target, []);
  }
  t.deepEqual(findCycles(graph), []);
});

/** Directories of the agent that others import through their index. That of `contract` and of `kit` is for authors of plugins. */
const MODULES = ['config', 'nodes', 'health', 'events', 'metrics', 'logging', 'http', 'host', 'status'].map(
  (name) => (name === 'config' ? 'config/' : `core/${name}/`),
);

/** Files that every command of the agent loads, or the page: their index would load the whole directory. */
const LOADED_ALWAYS = new Set([
  'core/health/selection',
  'core/host/stack',
  'core/http/route',
  'core/status/answer/index',
  'core/status/document',
  'core/status/read',
  'core/status/silence-scope',
]);

test('what other directories of the agent import is in the index of a directory', (t) => {
  const found = imports.flatMap((each) => {
    const path = ownPath(each)?.replace(/\.js$/, '');
    const module = MODULES.find((directory) => path?.startsWith(directory));
    const isFromOutside = module !== undefined && !each.file.startsWith(module);
    return path === undefined || !isFromOutside || path === `${module}index` || path.endsWith('.md')
      ? []
      : [{ path, text: `${each.file} imports ${path}.ts; export what it needs from ${module}index.ts` }];
  });
  t.deepEqual(
    found.flatMap(({ path, text }) => (LOADED_ALWAYS.has(path) ? [] : [text])),
    [],
  );
  const used = new Set(found.map(({ path }) => path));
  t.deepEqual(
    [...LOADED_ALWAYS].filter((path) => !used.has(path)),
    [],
  );
});

/** They run in browsers: checked with other types, and bundled from their sources with what only developers have. */
const PAGES = ['translator/page/', 'core/page/', 'core/common/page/'];
const isOfPage = (file: string): boolean => PAGES.some((directory) => file.startsWith(directory));

test('the subpaths of the translator are the files of translator/public, which only list names', (t) => {
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    exports: Readonly<Record<string, unknown>>;
  };
  const files = sourcesIn('translator/public');
  t.deepEqual(
    Object.fromEntries(Object.entries(exports).filter(([path]) => path.startsWith('./translator/'))),
    Object.fromEntries(
      files.map((file) => [
        `./translator/${basename(file, '.ts')}`,
        `./dist/${file.replace(/\.ts$/, '.js')}`,
      ]),
    ),
  );
  for (const file of files)
    t.is(
      codeOf(file)
        .replaceAll(/^export \{[^}]*\} from '[^']+';$/gm, '')
        .trim(),
      '',
      file,
    );
});

test('by its own name the package imports nothing but the translator, and the translator outside its root', (t) => {
  const root = new Set(['translator/index.ts', 'translator/browser.ts']);
  const broken = imports.filter(
    (each) =>
      (each.target.startsWith('fabric-ops-agent') && !SUBPATH.test(each.target)) ||
      (each.target.startsWith('.') &&
        ownPath(each)?.startsWith('translator/public/') === true &&
        !root.has(each.file)),
  );
  t.deepEqual(broken, []);
});

test('nothing imports a main module', (t) => {
  t.deepEqual(
    imports.filter(({ target }) => target.endsWith('/main.js')),
    [],
  );
});

for (const [name, directory] of [
  ['restify', 'core/http/'],
  ['restify-errors', 'core/http/'],
  ['prom-client', 'core/metrics/'],
  ['node-statsd', 'plugins/metrics/statsd/client.ts'],
  ['negotiator', 'plugins/metrics/prometheus/index.ts'],
  ['convict', 'config/'],
  ['dockerode', 'plugins/health/docker/'],
  ['yaml', 'config/ or translator/yaml-file.ts or translator/page/msp-folders.ts'],
  ['@grpc/grpc-js', 'translator/orderer/connection.ts'],
  ['pino', 'plugins/logging/console/'],
  ['@fastify/busboy', 'translator/http/form.ts'],
] as const) {
  test(`only ${directory} imports ${name}`, (t) => {
    const users = imports.filter(({ target }) => target === name).map(({ file }) => file);
    t.true(users.length > 0);
    t.deepEqual(
      users.filter((file) => !directory.split(' or ').some((each) => file.startsWith(each))),
      [],
    );
  });
}

const PROCESS =
  /(?<![.\w])process\.(?:argv|cwd|emit|env|exit|exitCode|hrtime|kill|nextTick|on|once|pid|send|std\w+)\b/;

/** Sends signals to process groups, which `ChildProcess.kill` cannot, also when the agent exits. */
const COMMANDS = 'core/kit/command.ts';
/** Notices rejections without a handler, as a test runner does. */
const OBSERVER = 'core/testing/observe.ts';

/** Passes pieces on to the stream that it wraps; makes pieces of its own. */
const WITH_PIECES: ReadonlySet<string> = new Set([
  'core/kit/http2-session.ts',
  'proto/browser-buffer.ts',
  'proto/to-json.ts',
]);

test('no list of pieces is collected: ByteCollector joins small pieces of bodies, outputs and files', (t) => {
  const listed = sources.filter(
    (file) =>
      /\b(?:chunks|pieces)\.push\(|\.push\((?:chunk|piece)\b/.test(codeOf(file)) && !WITH_PIECES.has(file),
  );
  t.deepEqual(listed, []);
});

/** The files of the agent that parse JSON without limits of depth and number of values, and the reason of each. */
const UNLIMITED_JSON: Readonly<Record<string, readonly string[]>> = {
  'has the limits': ['core/common/text/foreign-json.ts'],
  'a file of the package, of an installed package, or of the operator': [
    'core/common/build/notices.ts',
    'core/common/files/build-info.ts',
    'core/common/files/source-map.ts',
    'core/finish.ts',
    'core/tools/demo.ts',
    'plugins/notifier/webhook/template.ts',
  ],
  'one name in a certificate': ['core/http/roles.ts'],
  'the body of a request, of at most 64 KiB': ['core/events/silence-routes.ts', 'core/logging/route.ts'],
  'the page reads the document of its own agent; others pass a function with limits': ['core/status/read.ts'],
};

test('the agent and its plugins parse JSON of other programs with parseForeignJson, which has limits', (t) => {
  const unlimited = sources.filter(
    (file) => /^(?:core|plugins|config)\//.test(file) && /\bJSON\.parse\b/.test(codeOf(file)),
  );
  t.deepEqual(unlimited.toSorted(), Object.values(UNLIMITED_JSON).flat().toSorted());
});

/** Run by the build: it may use what only developers have. */
const isBuildStep = (file: string): boolean =>
  /^(?:core\/finish|core\/common\/build\/.*|(?:core|translator)\/page\/bundle|proto\/(?:compile|generate)|translator\/(?:bundle|precompile))\.ts$/.test(
    file,
  );

test('only main modules and build steps access the process', (t) => {
  const users = sources.filter(
    (file) =>
      PROCESS.test(codeOf(file)) &&
      !file.endsWith('/main.ts') &&
      !isBuildStep(file) &&
      file !== COMMANDS &&
      file !== OBSERVER,
  );
  t.deepEqual(users, []);
});

/** The file that lists the built-in plugins. */
const REGISTRY = 'core/built-in.ts';
/** Names of plugins that are also other things: protocols, forms of tags, labels and members of JSON documents, sections of a node's file. */
const OTHER_MEANINGS = new Set([
  'http',
  'tcp',
  'grpc',
  'graphite',
  'node',
  'height',
  'consensus',
  // A kind of facts.
  'certificates',
]);
/** Where the names of the checks of a peer are, which are also names of plugins. */
const CHECKS_OF_PEER = 'core/nodes/node.ts';
/** Have the names of the programs of container engines. */
const ENGINE_PROGRAMS: ReadonlySet<string> = new Set([
  'config/settings.ts',
  'config/node/container.ts',
  'core/tools/nodes/containers.ts',
]);
/** Where `metrics.provider` of a node's file is read, whose values are also names of plugins. */
const PROVIDERS = new Set([
  'config/schema.ts',
  'config/load.ts',
  'config/build-settings.ts',
  'config/node/nodes.ts',
  'core/tools/preflight/isolation.ts',
  'core/tools/preflight/statsd.ts',
]);

test('the registry lists every built-in plugin, and imports none', (t) => {
  const found = sources.filter((file) => /^plugins\/[^/]+\/[^/]+\/index\.ts$/.test(file));
  const listed = [...codeOf(REGISTRY).matchAll(/builtIn\('([^']+)'/g)].map(
    ([, path]) => `plugins/${path}/index.ts`,
  );
  t.deepEqual(listed.toSorted(), found.toSorted());
  t.deepEqual(
    importsOf(REGISTRY).filter((each) => ownPath(each)?.startsWith('plugins/') === true),
    [],
  );
});

test('a plugin imports the API for plugins as others do: from the index of core/contract and of core/kit, and of what is internal', (t) => {
  const allowed = new Set([
    'core/contract/index.ts',
    'core/contract/internal/index.ts',
    'core/kit/index.ts',
    'core/kit/internal/index.ts',
    'core/kit/metrics.ts',
    'core/kit/notifier.ts',
  ]);
  const broken = imports.filter((each) => {
    const to = ownPath(each) === undefined ? '' : fileOf(each);
    return each.file.startsWith('plugins/') && to.startsWith('core/') && !allowed.has(to);
  });
  t.deepEqual(broken, []);
});

test('no file of core and config names a built-in plugin, except the registry', (t) => {
  const names = new Set(
    sources.flatMap((file) => /^plugins\/[^/]+\/([^/]+)\/index\.ts$/.exec(file)?.[1] ?? []),
  );
  const broken = sources
    .filter((file) => /^(?:core|config)\//.test(file) && file !== REGISTRY && !isOfPage(file))
    .flatMap((file) => {
      const literals = [...codeOf(file).matchAll(/(['"`])([a-z-]+)\1/g)].map(([, , text = '']) => text);
      const isProvider = (name: string): boolean =>
        PROVIDERS.has(file) && ['prometheus', 'statsd'].includes(name);
      const isOfPeer = (name: string): boolean =>
        file === CHECKS_OF_PEER && ['docker', 'couchdb'].includes(name);
      const isProgram = (name: string): boolean => ENGINE_PROGRAMS.has(file) && name === 'docker';
      return literals
        .filter(
          (text) =>
            names.has(text) &&
            !OTHER_MEANINGS.has(text) &&
            !isProvider(text) &&
            !isOfPeer(text) &&
            !isProgram(text),
        )
        .map((name) => `${file} names the plugin ${name}`);
    });
  t.deepEqual(broken, []);
});

test('every directory at the top level is known', (t) => {
  const folders = readdirSync('.', { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name);
  const known = new Set(['core', 'plugins', 'translator', 'proto', 'config', 'test', 'dist', 'node_modules']);
  t.deepEqual(
    folders.filter((name) => !known.has(name)),
    [],
  );
});

test('every dependency is imported, and every imported package is one of them', (t) => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const used = new Set(
    imports
      .filter(
        (each) => !isBuildStep(each.file) && ownPath(each) === undefined && !each.target.startsWith('node:'),
      )
      .map(({ target }) =>
        target
          .split('/')
          .slice(0, target.startsWith('@') ? 2 : 1)
          .join('/'),
      ),
  );
  t.deepEqual([...used].sort(), Object.keys(dependencies).sort());
});

/** The code of a file without comments. */
function codeOf(file: string): string {
  return readFileSync(file, 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '');
}
