// The names that the package exports, by the subpaths in package.json.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const LIST = /^export (?:type )?\{([^}]*)\}/gm;
const DECLARATION =
  /^export (?:declare |abstract |async )*(?:class|const|enum|function|interface|let|type)\s+(\w+)/gm;
const STAR = /^export \* from '([^']+)'/gm;

/** The names that a source file exports, types included, sorted. */
export function exportedNames(file: string): readonly string[] {
  const text = readFileSync(file, 'utf8');
  const listed = [...text.matchAll(LIST)].flatMap(([, list = '']) =>
    list
      .replaceAll(/\/\/.*$/gm, '')
      .split(',')
      .flatMap((entry) => /(\w+)\s*$/.exec(entry)?.[1] ?? []),
  );
  const declared = [...text.matchAll(DECLARATION)].map(([, name = '']) => name);
  const others = [...text.matchAll(STAR)].flatMap(([, from = '']) =>
    exportedNames(join(dirname(file), from.replace(/\.js$/, '.ts'))),
  );
  return [...new Set([...listed, ...declared, ...others])].toSorted();
}

/** The source file of each subpath that the package exports. */
export function subpaths(): ReadonlyMap<string, string> {
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
  };
  return new Map(
    Object.entries(exports).flatMap(([subpath, target]) => {
      const file = typeof target === 'string' ? target : target.default;
      return file.endsWith('.js') ? [[subpath, file.replace('./dist/', '').replace(/\.js$/, '.ts')]] : [];
    }),
  );
}
