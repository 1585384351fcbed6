// The kit is for what several plugins need.

import { readdirSync, readFileSync } from 'node:fs';
import test from 'ava';
import { exportedNames } from '../../helpers/exported-names.js';

/** The exports that fewer than two built-in plugins use, and the reason of each. */
const REASONS: Readonly<Record<string, readonly string[]>> = {
  'plugins of other authors need it; README.md has an example': ['TLS_OPTIONS', 'TlsSettings'],
  'the type of an argument or result of an exported function or class, which a plugin names': [
    'HttpRequest',
    'ReceiverOptions',
  ],
  'other parts of the kit use it, so it cannot be in the plugin': ['RequestError'],
};

const namesIn = (list: string): string[] => [...list.matchAll(/(?:type\s+)?(\w+)/g)].map(([, name]) => name!);

/** The names that each plugin imports from a file of the kit, by the directory of the plugin. */
function importsByPlugin(file: string): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  const imports = new RegExp(
    `^import (?:type )?\\{([^}]*)\\} from '(?:\\.\\./){3}core/kit/${file}\\.js'`,
    'gm',
  );
  for (const source of readdirSync('plugins', { recursive: true, encoding: 'utf8' })) {
    if (!source.endsWith('.ts')) continue;
    const plugin = source.split('/').slice(0, 2).join('/');
    const names = found.get(plugin) ?? new Set<string>();
    found.set(plugin, names);
    for (const [, list = ''] of readFileSync(`plugins/${source}`, 'utf8').matchAll(imports))
      for (const name of namesIn(list)) names.add(name);
  }
  return found;
}

/** The names of a file of the kit that fewer than two plugins import. */
function rarelyUsed(file: string): readonly string[] {
  const plugins = [...importsByPlugin(file).values()];
  return exportedNames(`core/kit/${file}.ts`).filter(
    (name) => plugins.filter((names) => names.has(name)).length < 2,
  );
}

test('two plugins use each name of the kit, or the list of exceptions has it', (t) => {
  t.deepEqual(
    ['index', 'metrics', 'notifier'].flatMap(rarelyUsed).toSorted(),
    Object.values(REASONS).flat().toSorted(),
  );
});

test('one plugin uses each name of the kit that is internal', (t) => {
  const used = new Set([...importsByPlugin('internal/index').values()].flatMap((names) => [...names]));
  const unused = exportedNames('core/kit/internal/index.ts').filter((name) => !used.has(name));
  t.deepEqual(unused, []);
});
