#!/usr/bin/env node
// Starts the program `configtxlator` from the file of bundle.ts. Compiling it takes half of the time of a short command, so the build
// puts V8's code cache next to it. V8 ignores a cache of another V8 version, and compiles.

import { readFileSync } from 'node:fs';
import { Script } from 'node:vm';

/** The function in the file, with the parameters of a CommonJS module. */
type Body = (exports: object, require: NodeJS.Require, module: object, filename: string) => void;

const PROGRAM = `${__dirname}/program.cjs`;

function compiledCode(): Buffer | undefined {
  try {
    return readFileSync(`${PROGRAM}.compiled`);
  } catch {
    // The npm package contains no cache, because its users have many versions of V8.
    return undefined;
  }
}

// The file is ASCII, and the text is not copied: each copy is a megabyte in the memory of an idle service.
const script = new Script(readFileSync(PROGRAM, 'latin1'), { filename: PROGRAM, cachedData: compiledCode() });
const program = { exports: {} };
(script.runInThisContext() as Body)(program.exports, require, program, PROGRAM);
