import { readFileSync } from 'node:fs';
import test from 'ava';

test('the limits of the README are those of the code', (t) => {
  const limits = readFileSync('core/http/limits.ts', 'utf8');
  const readme = readFileSync('core/http/README.md', 'utf8');
  for (const [, name = '', expression = ''] of limits.matchAll(/export const (\w+) = ([\d_ *]+);/g)) {
    const value = expression
      .split('*')
      .reduce((product, factor) => product * Number(factor.replaceAll('_', '')), 1);
    const row = readme.split('\n').find((line) => line.startsWith(`| \`${name}\``));
    t.is(row?.split('|')[2]?.trim(), String(value), name);
  }
  const named = [...readme.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, name]) => name ?? '');
  for (const name of named) t.true(limits.includes(`const ${name} `), name);
  t.true(named.length > 10);
});
