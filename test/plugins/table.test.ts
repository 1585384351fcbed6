// plugins/README.md lists every built-in plugin as its definition and its own README describe it.

import { readFileSync } from 'node:fs';
import test from 'ava';
import { BUILT_IN } from '../../core/built-in.js';
import { importPlugin } from '../../core/host/module.js';
import { tableRows } from '../helpers/markdown.js';

const SOURCES = new URL('../../../plugins/', import.meta.url);
/** The directory of a built-in plugin, from that of all plugins. */
const directoryOf = (url: string): string => url.replace(/^.*\/plugins\/(.*)\/index\.js$/, '$1');
const readmeOf = (path: string): string => readFileSync(new URL(path, SOURCES), 'utf8');

test('the table of plugins/README.md has every built-in plugin with its kind and its purpose', async (t) => {
  const expected = await Promise.all(
    BUILT_IN.toSorted((one, other) =>
      `${one.name} ${one.kind}` < `${other.name} ${other.kind}` ? -1 : 1,
    ).map(async ({ name, url }) => {
      const imported = await importPlugin(url);
      if ('problem' in imported) throw new Error(imported.problem);
      const directory = directoryOf(url);
      const [, title = ''] = /^# (.*)$/m.exec(readmeOf(`${directory}/README.md`)) ?? [];
      return [`[${name}](${directory}/README.md)`, imported.definition.kind, title.replace(`${name}: `, '')];
    }),
  );
  t.deepEqual(tableRows(readmeOf('README.md'), 'Built-in plugins'), expected);
});
