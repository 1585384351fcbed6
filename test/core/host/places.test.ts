// Problems of plugins name the file and the line of the plugin.

import test from 'ava';
import { runAgentCommand } from '../../helpers/agent-command.js';
import { pluginSource, projectFolder } from '../../helpers/plugin-program.js';

const check = pluginSource('checker', 'own', 'return { check() {} };');
const failing = (create: string): string => pluginSource('checker', 'own', create).replaceAll(';', ';\n');
const LOADED = './own.js: the module cannot be loaded:';

/** The source of `own.js`, other files, and the problem. */
const CASES: Readonly<
  Record<string, readonly [own: string, problem: string, others?: Readonly<Record<string, string>>]>
> = {
  'a create that throws': [
    failing('context.name; context.frobnicate();'),
    'own: create failed: context.frobnicate is not a function (own.js:2)',
  ],
  'an init that rejects': [
    failing('return { check() {}, async init() { await null; null.x; } };'),
    "own: init failed: Cannot read properties of null (reading 'x') (own.js:2)",
  ],
  'a module that throws': ['\nconst a = 1;\na();\n', `${LOADED} a is not a function (own.js:3)`],
  'a file of the plugin that throws': [
    "import './lib/help.js';\n",
    `${LOADED} no luck (lib/help.js:2)`,
    { 'lib/help.js': "\nthrow new Error('no luck');\n" },
  ],
  'a package in the directory of the plugin that throws': [
    "import { help } from 'help';\n\nhelp();\n",
    `${LOADED} no luck (own.js:3)`,
    {
      'node_modules/help/package.json': '{"type":"module","exports":"./index.js"}',
      'node_modules/help/index.js': "export const help = () => { throw new Error('no luck'); };",
    },
  ],
  'a syntax error': [
    'const a = 1;\nb c\n',
    `${LOADED} Unexpected identifier 'c'; node --check, run on its files, shows the line`,
  ],
  'a syntax error in an imported file': [
    "import {\n  help,\n} from './lib/help.js';\n",
    `${LOADED} Unexpected identifier 'c'; node --check, run on its files, shows the line`,
    { 'lib/help.js': 'b c\n' },
  ],
  'a name that is not exported': [
    "\nimport { help } from './lib/help.js';\n",
    `${LOADED} The requested module './lib/help.js' does not provide an export named 'help' (own.js:2)`,
    { 'lib/help.js': '' },
  ],
  'a misspelled name of the plugin API': [
    "import { defineHealthCheker } from 'fabric-ops-agent/plugin';\n",
    `${LOADED} The requested module 'fabric-ops-agent/plugin' does not provide an export named 'defineHealthCheker' (own.js:1); did you mean defineHealthChecker?`,
  ],
  'a name that resembles no name of the kit': [
    "import { qqqqqqqq } from 'fabric-ops-agent/kit';\n",
    `${LOADED} The requested module 'fabric-ops-agent/kit' does not provide an export named 'qqqqqqqq' (own.js:1)`,
  ],
  'a name of another subpath of the kit': [
    "import { scheduleOf } from 'fabric-ops-agent/kit';\n",
    `${LOADED} The requested module 'fabric-ops-agent/kit' does not provide an export named 'scheduleOf' (own.js:1); fabric-ops-agent/kit/notifier exports it`,
  ],
  'a name of the plugin API from the root of the package': [
    "import { defineHealthChecker } from 'fabric-ops-agent';\n",
    `${LOADED} The requested module 'fabric-ops-agent' does not provide an export named 'defineHealthChecker' (own.js:1); fabric-ops-agent/plugin exports it`,
    {
      'node_modules/fabric-ops-agent/package.json': '{"type": "module", "exports": {".": "./index.js"}}',
      'node_modules/fabric-ops-agent/index.js': '',
    },
  ],
  'a misspelled name of a subpath of the kit': [
    "import { scheduleFo } from 'fabric-ops-agent/kit/notifier';\n",
    `${LOADED} The requested module 'fabric-ops-agent/kit/notifier' does not provide an export named 'scheduleFo' (own.js:1); did you mean scheduleOf?`,
  ],
  'an unknown member of the definition': [
    "import { defineHealthChecker } from 'fabric-ops-agent/plugin';\nexport default defineHealthChecker({ name: 'own', chek() {} });\n",
    `${LOADED} unknown member "chek" of the definition; did you mean check? (own.js:2)`,
  ],
  'a checker without check': [
    "import { defineHealthChecker } from 'fabric-ops-agent/plugin';\nexport default defineHealthChecker({ name: 'own' });\n",
    `${LOADED} the definition must have one of the functions check and create; found none (own.js:2)`,
  ],
  'a checker with check and create': [
    "import { defineHealthChecker } from 'fabric-ops-agent/plugin';\nexport default defineHealthChecker({ name: 'own', check() {}, create() {} });\n",
    `${LOADED} the definition must have one of the functions check and create; found check and create (own.js:2)`,
  ],
  'a sink whose create is no function': [
    "import { defineMetricSink } from 'fabric-ops-agent/plugin';\nexport default defineMetricSink({ name: 'own', create: 1 });\n",
    `${LOADED} the definition must have a function create; found none (own.js:2)`,
  ],
  'a thrown string': [failing("throw 'no luck'"), 'own: create failed: no luck'],
};

for (const [what, [own, problem, others = {}]] of Object.entries(CASES))
  test(`the problem of a plugin names file and line: ${what}`, async (t) => {
    const settings = { plugins: [{ plugin: './own.js' }] };
    const cwd = projectFolder(t, { files: { 'own.js': own, ...others }, settings });
    const { status, stderr } = await runAgentCommand(['config', 'check', '-c', 'agent.yaml'], { cwd });
    t.is(stderr, `fabric-ops-agent: error: agent.yaml:1: plugins[0]: plugin ${problem}\n`);
    t.is(status, 2);
  });

test('with the log level debug the problem of a plugin has the stack', async (t) => {
  const settings = { plugins: [{ plugin: './broken.js' }] };
  const files = { 'broken.js': failing("throw new Error('no luck')") };
  const cwd = projectFolder(t, { files, settings });
  for (const [spec, isShown] of [
    ['plugins=debug', true],
    ['info', false],
  ] as const) {
    const { stderr } = await runAgentCommand(['config', 'check', '-c', 'agent.yaml'], {
      cwd,
      environment: { FABRIC_LOGGING_SPEC: spec },
    });
    t.is(stderr.includes('stack="Error: no luck\\n    at '), isShown, stderr);
  }
});

for (const [source, output] of [
  ['own.ts', 'own.js'],
  ['own.mts', 'own.mjs'],
  ['own.cts', 'own.cjs'],
] as const)
  test(`a plugin ${source} has to be compiled`, async (t) => {
    const cwd = projectFolder(t, {
      files: { [source]: check },
      settings: { plugins: [{ plugin: `./${source}` }] },
    });
    const { stderr } = await runAgentCommand(['config', 'check', '-c', 'agent.yaml'], { cwd });
    t.is(
      stderr,
      `fabric-ops-agent: error: agent.yaml:1: plugins[0]: plugin ./${source}: ${cwd}/${source} must be compiled to JavaScript, such as with npx -p typescript tsc --module nodenext ${source}; declare the file that it writes, ${output}\n`,
    );
  });
