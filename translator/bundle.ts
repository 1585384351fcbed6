// Run by the build: makes of the compiled modules the program `configtxlator`, dist/configtxlator/: a few CommonJS files, of which a
// command loads those it needs. Node takes half as long again to start it from the modules themselves.

import { chmodSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rollup } from '@rollup/wasm-node';

const MAIN = fileURLToPath(new URL('main.js', import.meta.url));
const FOLDER = fileURLToPath(new URL('../configtxlator/', import.meta.url));
const EXECUTABLE = 0o755;

const bundle = await rollup({
  input: MAIN,
  external: (id) => !/^[./]|^[a-z]:/i.test(id),
  plugins: [
    {
      name: 'urls-of-modules',
      // They find files of the package beside themselves, wherever their code is now.
      resolveImportMeta: (_, { moduleId }) =>
        `new URL('${relative(FOLDER, moduleId)}', require('node:url').pathToFileURL(__filename)).href`,
    },
  ],
  onwarn(warning) {
    throw new Error(warning.message);
  },
});
await bundle.write({
  dir: FOLDER,
  format: 'cjs',
  entryFileNames: '[name].cjs',
  chunkFileNames: '[name].cjs',
});
chmodSync(`${FOLDER}main.cjs`, EXECUTABLE);
