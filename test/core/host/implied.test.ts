// The declarations of the plugins that the configuration implies.

import test from 'ava';
import { defineSettings, type LoadedNode } from '../../../config/index.js';
import {
  configuredAgent,
  declareForNode,
  declarePlugins,
  separateOrigins,
} from '../../../core/host/implied.js';

const AGENT = configuredAgent({ effective: new Map(), nodes: [] });
const FIELDS = {
  plugin: './own.js',
  onStartError: 'retry',
  directory: '/etc/agent',
  origin: 'agent.yaml:1',
} as const;

/** A node `peer0` with these names in `node.checks`. */
const nodeWith = (checks: Readonly<Record<string, boolean>> = {}): LoadedNode =>
  ({
    name: 'peer0',
    kind: 'peer',
    origin: 'core.yaml',
    file: 'core.yaml',
    checks: { value: new Map(Object.entries(checks)), origin: 'agent.yaml:2' },
    values: new Map([['ledger', { value: '/ledger', origin: 'core.yaml:7' }]]),
  }) as unknown as LoadedNode;

for (const [nodeComponent, name] of [
  [undefined, 'peer0/own'],
  ['disk', 'peer0/disk'],
  ['', 'peer0'],
] as const)
  test(`a plugin with the component ${JSON.stringify(nodeComponent)} of a node is declared as ${name}`, (t) => {
    const plugin = {
      name: 'own',
      forNode: () => ({ path: '/data' }),
      ...(nodeComponent !== undefined && { nodeComponent }),
    };
    t.deepEqual(declareForNode(plugin, FIELDS, nodeWith(), AGENT), {
      ...FIELDS,
      name,
      fallback: false,
      options: { path: '/data' },
      optionOrigins: { path: 'core.yaml' },
    });
  });

test('a plugin is not declared for a node that switches it off, or for which it returns no options', (t) => {
  const own = { name: 'own', forNode: () => ({}) };
  t.is(declareForNode(own, FIELDS, nodeWith({ own: false }), AGENT), undefined);
  t.not(declareForNode(own, FIELDS, nodeWith({ own: true, other: false }), AGENT), undefined);
  t.is(declareForNode({ name: 'own', forNode: () => undefined }, FIELDS, nodeWith(), AGENT), undefined);
  t.is(declareForNode({ name: 'own' }, FIELDS, nodeWith(), AGENT), undefined);
});

for (const [what, imported, implied, checks] of [
  ['the settings can imply it', true, { mayBeForAgent: () => true }, {}],
  ['the settings cannot imply it', false, { mayBeForAgent: () => false }, {}],
  ['a node can imply it', true, { mayBeForNode: () => true }, {}],
  ['no node can imply it', false, { mayBeForNode: () => false }, {}],
  ['each node switches it off', false, { mayBeForNode: () => true }, { own: false }],
  ['nothing can imply it', false, {}, {}],
] as const)
  test(`a built-in plugin is ${imported ? '' : 'not '}imported if ${what}`, async (t) => {
    const { configured } = defineSettings({}, '/');
    const settings = { plugins: [], configured: { ...configured, nodes: [nodeWith(checks)] } };
    const builtIn = { kind: 'checker', name: 'own', url: 'file:///nowhere/own.js', ...implied };
    const declared = declarePlugins(settings, [builtIn]);
    if (imported)
      await t.throwsAsync(declared, { message: /^built-in plugin own: the module cannot be loaded: / });
    else t.deepEqual(await declared, []);
  });

test('a plugin gets the values of the file of a node with their origins, also of keys that are missing', (t) => {
  const forNode = (node: { get: (key: string) => unknown }): Readonly<Record<string, unknown>> => ({
    found: node.get('ledger'),
    missing: node.get('wal'),
  });
  const declared = declareForNode({ name: 'own', forNode }, FIELDS, nodeWith(), AGENT);
  t.deepEqual(declared?.options, { found: '/ledger', missing: undefined });
  t.deepEqual(declared?.optionOrigins, { found: 'core.yaml:7', missing: 'core.yaml: wal' });
});

test('a plugin gets the settings of the agent with their origins', (t) => {
  const settings = new Map([['a', { value: 1, origin: 'agent.yaml:3', isDefault: false, sensitive: false }]]);
  const agent = configuredAgent({ effective: settings, nodes: [nodeWith(), nodeWith()] });
  t.is(agent.nodeCount, 2);
  t.deepEqual(agent.get('a'), { value: 1, origin: 'agent.yaml:3: a', isDefault: false });
  t.deepEqual(agent.get('b'), { value: undefined, origin: 'default: b', isDefault: true });
});

// Only an object with exactly these members is a value with its origin: an option can be an object, too.
for (const [option, hasOrigin] of [
  [{ value: 1, origin: 'here' }, true],
  [{ value: 1, origin: 'here', isDefault: false }, true],
  [{ value: 1, origin: 7 }, false],
  [{ value: 1, origin: 'here', more: 1 }, false],
  [{ value: 1 }, false],
  [{ origin: 'here', more: 1 }, false],
  [null, false],
  ['text', false],
  [['value', 'origin'], false],
] as const)
  test(`the option ${JSON.stringify(option)} ${hasOrigin ? 'has its' : 'gets the'} origin`, (t) => {
    t.deepEqual(separateOrigins({ option }, 'there'), {
      options: { option: hasOrigin ? 1 : option },
      optionOrigins: { option: hasOrigin ? 'here' : 'there' },
    });
  });
