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

for (const { kind, name, url } of BUILT_IN) {
  test(`the README of the ${kind} plugin ${name} has the options of its schema`, async (t) => {
    const imported = await importPlugin(url);
    if ('problem' in imported) throw new Error(imported.problem);
    const readme = readFileSync(readmeOf(url), 'utf8');
    const expected = Object.entries(imported.definition.options).map(([option, spec]) => [
      `\`${option}\``,
      defaultOf(spec),
      spec.doc,
    ]);
    t.deepEqual(tableRows(readme, 'Options'), expected);
  });

  test(`the README of the ${kind} plugin ${name} has every section`, (t) => {
    const readme = readFileSync(readmeOf(url), 'utf8');
    const sections = [...readme.matchAll(/^## (.*)$/gm)].map(([, title]) => title);
    t.deepEqual(sections.slice(0, 4), ['Sample', 'Options', 'What it exposes', 'What can go wrong']);
  });
}

test('there are built-in plugins of every kind', (t) => {
  const kinds = new Set(BUILT_IN.map(({ kind }) => kind));
  t.deepEqual([...kinds].toSorted(), ['checker', 'logging', 'notifier', 'sink', 'source']);
});
