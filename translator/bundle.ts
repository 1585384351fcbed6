// Build step: bundles the compiled modules into the program `configtxlator` (dist/configtxlator/), a few CommonJS files that commands
// load on demand. Starting the program from the single modules takes half as long again.

import { chmodSync } from 'node:fs';
import { basename, dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rollup } from '@rollup/wasm-node';

const MAIN = fileURLToPath(new URL('main.js', import.meta.url));
const DIRECTORY = fileURLToPath(new URL('../configtxlator/', import.meta.url));
const EXECUTABLE = 0o755;

const bundle = await rollup({
  input: MAIN,
  external: (id) => !/^[./]|^[a-z]:/i.test(id),
  plugins: [
    {
      name: 'urls-of-modules',
      // Modules find files of the package relative to themselves: keep the URL of the original module.
      resolveImportMeta: (_, { moduleId }) =>
        `new URL('${relative(DIRECTORY, moduleId)}', require('node:url').pathToFileURL(__filename)).href`,
    },
  ],
  onwarn(warning) {
    throw new Error(warning.message);
  },
});
await bundle.write({
  dir: DIRECTORY,
  format: 'cjs',
  entryFileNames: '[name].cjs',
  // The implementation of a command is the `run.js` of its directory.
  chunkFileNames: ({ name, facadeModuleId }) =>
    `${name === 'run' && facadeModuleId ? basename(dirname(facadeModuleId)) : name}.cjs`,
});
chmodSync(`${DIRECTORY}main.cjs`, EXECUTABLE);
