// The plugin that an uncaught error is attributed to, also when the agent is installed in the directory of a plugin.

import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import test from 'ava';
import { LeveledLoggers } from '../../../core/contract/index.js';
import type { PluginInstance } from '../../../core/host/index.js';
import { LimitedLog } from '../../../core/http/index.js';
import { sourcePath } from '../../../core/host/stack.js';
import { handleUncaughtError } from '../../../core/host/uncaught.js';
// Loaded here, because Node knows the source of a loaded file only.
import docker from '../../../plugins/health/docker/index.js';

/** The root of the agent, as stack traces show it. */
const ROOT = dirname(
  dirname(dirname(sourcePath(fileURLToPath(new URL('../../../core/host/uncaught.js', import.meta.url))))),
);
const RESPONDER = `${ROOT}/core/http/responder.js`;

const CONFIG = `${ROOT}/config/load.js`;
const DOCKER = fileURLToPath(new URL('../../../plugins/health/docker/index.js', import.meta.url));
/** A project whose directory contains the agent, as node_modules of a project does. */
const PROJECT = dirname(ROOT);
const RESTIFY = `${PROJECT}/node_modules/restify/lib/server.js`;

interface Recorded {
  readonly faults: string[];
  readonly logged: string[];
  readonly isContained: boolean;
}

/** Handles an error with frames in some files, with plugins given by the file of their module. */
function handle(files: readonly string[], modules: Readonly<Record<string, string>>): Recorded {
  const faults: string[] = [];
  const logged: string[] = [];
  const instances = Object.entries(modules).map(
    ([name, file]) =>
      ({ name, file, countFault: (phase: string) => faults.push(`${name} ${phase}`) }) as never,
  ) as PluginInstance[];
  const loggers = new LeveledLoggers({ write: ({ message }) => void logged.push(message) });
  const pluginMetrics = {
    recordState: () => undefined,
    countFault: ({ plugin }: { plugin: string }, phase: string) => void faults.push(`${plugin} ${phase}`),
  };
  const error = new Error('on purpose');
  error.stack = ['Error: on purpose', ...files.map((file) => `    at work (${file}:1:2)`)].join('\n');
  const isContained = handleUncaughtError(error, instances, {
    pluginMetrics,
    log: new LimitedLog(loggers.logger('operations')),
  });
  return { faults, logged, isContained };
}

const CASES: readonly (readonly [
  what: string,
  files: readonly string[],
  modules: Readonly<Record<string, string>>,
  fault: string,
  isContained: boolean,
])[] = [
  [
    'a fault of the agent, installed in the directory of a plugin',
    [RESPONDER, 'node:net'],
    { own: `${PROJECT}/own.js` },
    'unknown',
    false,
  ],
  [
    'a fault in the settings of the agent',
    [CONFIG, RESPONDER],
    { own: `${PROJECT}/own.js` },
    'unknown',
    false,
  ],
  [
    'a fault in a package that the agent called',
    [RESTIFY, RESPONDER],
    { own: `${PROJECT}/own.js` },
    'unknown',
    false,
  ],
  [
    'a fault of a plugin beside the agent, in a function that the agent called',
    [`${PROJECT}/own.js`, RESPONDER],
    { own: `${PROJECT}/own.js` },
    'own',
    true,
  ],
  [
    'a fault in another package of the project',
    [`${PROJECT}/node_modules/other/index.js`],
    { own: `${PROJECT}/own.js` },
    'own',
    true,
  ],
  [
    'a fault in another file of a plugin in node_modules',
    [`${PROJECT}/node_modules/disk/lib/read.js`],
    { own: `${PROJECT}/own.js`, disk: `${PROJECT}/node_modules/disk/index.js` },
    'disk',
    true,
  ],
  [
    'a fault of a built-in plugin',
    [sourcePath(DOCKER)],
    { own: `${PROJECT}/own.js`, [docker.name]: DOCKER },
    docker.name,
    true,
  ],
  [
    'a fault in a file whose path has a space',
    [pathToFileURL('/a b/own.js').href],
    { own: '/a b/own.js' },
    'own',
    true,
  ],
  [
    'a fault of the agent, in whose directory a plugin is',
    [RESPONDER],
    { own: `${ROOT}/own.js` },
    'unknown',
    false,
  ],
  ['a fault without files', [], { own: `${PROJECT}/own.js` }, 'unknown', true],
];

for (const [what, files, modules, fault, isContained] of CASES) {
  test(`${what} is a fault of ${fault}, and the agent ${isContained ? 'continues' : 'ends'}`, (t) => {
    const recorded = handle(files, modules);
    t.deepEqual(recorded.faults, [`${fault} uncaught`]);
    t.is(recorded.isContained, isContained);
    t.deepEqual(recorded.logged, [
      `uncaught error${fault === 'unknown' ? '' : ` in plugin ${fault}`}: on purpose`,
    ]);
  });
}

test('a path in the message of an error is not a frame', (t) => {
  const faults: string[] = [];
  const own = { name: 'own', file: '/own/own.js', countFault: () => faults.push('own') } as never;
  const error = new Error('cannot read /own/own.js:1:2');
  error.stack = `Error: cannot read /own/own.js:1:2\n    at work (${RESPONDER}:1:2)`;
  const log = new LimitedLog(new LeveledLoggers({ write: () => undefined }).logger('operations'));
  const pluginMetrics = { recordState: () => undefined, countFault: () => undefined };
  t.false(handleUncaughtError(error, [own], { pluginMetrics, log }));
  t.deepEqual(faults, []);
});
