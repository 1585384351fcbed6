#!/usr/bin/env node
// Starts the program `configtxlator` from the file that bundle.ts makes. Compiling it takes half of the time of a short command, so
// the build puts compiled code beside it. V8 ignores the code of another version of itself, and compiles.

import { readFileSync } from 'node:fs';
import { Script } from 'node:vm';

/** What the code of the file becomes: the function that Node.js makes of a CommonJS module. */
type Body = (exports: object, require: NodeJS.Require, module: object, filename: string) => void;

const PROGRAM = `${__dirname}/program.cjs`;

function compiledCode(): Buffer | undefined {
  try {
    return readFileSync(`${PROGRAM}.compiled`);
  } catch {
    // The npm package has none: it is installed with many versions of V8.
    return undefined;
  }
}

const code = `(function (exports, require, module, __filename) {${readFileSync(PROGRAM, 'utf8')}\n})`;
const script = new Script(code, { filename: PROGRAM, cachedData: compiledCode() });
const program = { exports: {} };
(script.runInThisContext() as Body)(program.exports, require, program, PROGRAM);
