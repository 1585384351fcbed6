// The kit is for what several plugins need.

import { readdirSync, readFileSync } from 'node:fs';
import test from 'ava';

/** The exports that fewer than two built-in plugins use, and the reason of each. */
const REASONS: Readonly<Record<string, readonly string[]>> = {
  'plugins of other authors need it; README.md has an example': ['TLS_OPTIONS', 'TlsSettings'],
  'the type of an argument or result of an exported function or class, which a plugin names': [
    'CommandResult',
    'HttpRequest',
    'NodeReading',
    'Packet',
    'ReceiverOptions',
    'SocketServer',
    'TagStyle',
    'TlsClientFiles',
    'Transport',
  ],
  'other parts of the kit use it, so it cannot be in the plugin': [
    'firstLine',
    'openSocket',
    'readTlsFiles',
    'RequestError',
    'URL_RULE',
  ],
  'core uses it, and plugins may import only the plugin API and the kit': [
    'Backoff',
    'hashOfKey',
    'hasNames',
    'isSignedBy',
    'isUnresolved',
    'maskUrls',
    'parseDuration',
    'sourceMapOf',
    'versionOf',
  ],
};

const namesIn = (list: string): string[] => [...list.matchAll(/(?:type\s+)?(\w+)/g)].map(([, name]) => name!);

const exported = [...readFileSync('core/kit/index.ts', 'utf8').matchAll(/^export (?:type )?\{([^}]*)\}/gm)]
  .flatMap(([, list = '']) => namesIn(list))
  .toSorted();

/** The names that each plugin imports from the kit, by the directory of the plugin. */
function importsByPlugin(): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const file of readdirSync('plugins', { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue;
    const plugin = file.split('/').slice(0, 2).join('/');
    const names = found.get(plugin) ?? new Set<string>();
    found.set(plugin, names);
    for (const [, list = ''] of readFileSync(`plugins/${file}`, 'utf8').matchAll(
      /^import (?:type )?\{([^}]*)\} from '(?:\.\.\/){3}core\/kit\/index\.js'/gm,
    ))
      for (const name of namesIn(list)) names.add(name);
  }
  return found;
}

test('two plugins use each name of the kit, or the list of exceptions has it', (t) => {
  const plugins = [...importsByPlugin().values()];
  const countOf = (name: string): number => plugins.filter((names) => names.has(name)).length;
  t.true(exported.length > 50);
  t.deepEqual(
    exported.filter((name) => countOf(name) < 2),
    Object.values(REASONS).flat().toSorted(),
  );
});
