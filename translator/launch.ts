#!/usr/bin/env node
// Starts the program `configtxlator` from the files that bundle.ts makes. Compiling them takes half of the time of a short command, so
// the build puts a file with compiled code beside each of them. V8 ignores the code of another version of itself, and compiles.

import { readFileSync } from 'node:fs';
import { Script } from 'node:vm';

interface Module {
  readonly exports: object;
}

/** What the code of a file becomes: the function that Node.js makes of a CommonJS module. */
type Body = (exports: object, require: Load, filename: string, importModule: Load) => void;
type Load = (id: string) => unknown;

const loaded = new Map<string, Module>();

/** The `require` of the files: another file of the program, or a module of Node.js or of a package. */
function load(id: string): unknown {
  if (!id.startsWith('./')) return require(id);
  const known = loaded.get(id);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  // Before its code runs: files may require each other.
  loaded.set(id, module);
  const filename = `${__dirname}/${id.slice(2)}`;
  const code = `(function (exports, require, __filename, importModule) {${readFileSync(filename, 'utf8')}\n})`;
  const script = new Script(code, {
    filename,
    cachedData: compiledCode(filename),
  });
  (script.runInThisContext() as Body)(module.exports, load, filename, importModule);
  return module.exports;
}

/** The `import()` of the files, for modules of Node.js and of packages: compiled code has none. */
const importModule = async (id: string): Promise<unknown> => import(id);

function compiledCode(filename: string): Buffer | undefined {
  try {
    return readFileSync(`${filename}.compiled`);
  } catch {
    // The npm package has none: it is installed with many versions of V8.
    return undefined;
  }
}

load('./program.cjs');
