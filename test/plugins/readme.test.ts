// The README of each built-in plugin matches its definition.

import { readFileSync } from 'node:fs';
import test from 'ava';
import { BUILT_IN } from '../../core/built-in.js';
import type { OptionSpec } from '../../core/contract/plugin.js';
import { importPlugin } from '../../core/host/module.js';
import { tableRows } from '../helpers/markdown.js';

const SOURCES = new URL('../../../plugins/', import.meta.url);
/** The README in the directory of a built-in plugin. */
const readmeOf = (url: string): URL =>
  new URL(url.replace(/^.*\/plugins\/(.*)\/index\.js$/, '$1/README.md'), SOURCES);

/** How the table writes a default. */
function defaultOf({ default: value }: OptionSpec): string {
  if (value === undefined) return 'required';
  return value === '' ? 'empty' : `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}

/** The rows of the schema of a plugin. */
async function rowsOf(url: string): Promise<string[][]> {
  const imported = await importPlugin(url);
  if ('problem' in imported) throw new Error(imported.problem);
  return Object.entries(imported.definition.options).map(([option, spec]) => [
    `\`${option}\``,
    defaultOf(spec),
    spec.doc,
  ]);
}

const key = (row: readonly string[]): string => row.join(' | ');
const SHARED = tableRows(readFileSync(new URL('README.md', SOURCES), 'utf8'), 'Shared options').map(key);

for (const { kind, name, url } of BUILT_IN) {
  test(`the README of the ${kind} plugin ${name} has the options of its schema, and names the shared ones`, async (t) => {
    const readme = readFileSync(readmeOf(url), 'utf8');
    const rows = await rowsOf(url);
    const shared = rows.filter((row) => SHARED.includes(key(row))).map(([option]) => option);
    t.deepEqual(
      tableRows(readme, 'Options'),
      rows.filter((row) => !SHARED.includes(key(row))),
    );
    const [, list = ''] = /he \[shared options\]\(\S+\) ([^.]*)\.$/m.exec(readme) ?? [];
    t.deepEqual(list === '' ? [] : list.split(', '), shared);
  });

  test(`the README of the ${kind} plugin ${name} has every section`, (t) => {
    const readme = readFileSync(readmeOf(url), 'utf8');
    const sections = [...readme.matchAll(/^## (.*)$/gm)].map(([, title]) => title);
    t.deepEqual(sections.slice(0, 4), ['Sample', 'Options', 'What it exposes', 'What can go wrong']);
  });
}

test('at least two plugins have each shared option', async (t) => {
  const all = (await Promise.all(BUILT_IN.map(async ({ url }) => rowsOf(url)))).flat().map(key);
  t.deepEqual(
    SHARED.filter((row) => all.filter((each) => each === row).length < 2),
    [],
  );
});

test('there are built-in plugins of every kind', (t) => {
  const kinds = new Set(BUILT_IN.map(({ kind }) => kind));
  t.deepEqual([...kinds].toSorted(), ['checker', 'logging', 'notifier', 'sink', 'source']);
});
