// Build step: bundles the compiled modules into the program `configtxlator` (dist/configtxlator/), CommonJS files that commands load
// on demand, and main.cjs, which starts it (launch.ts). Starting the program from the single modules takes half as long again.

import { chmodSync, rmSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rollup } from '@rollup/wasm-node';
import { transform } from 'esbuild';

const MAIN = fileURLToPath(new URL('main.js', import.meta.url));
const LAUNCHER = fileURLToPath(new URL('launch.js', import.meta.url));
const DIRECTORY = fileURLToPath(new URL('../configtxlator/', import.meta.url));
const PROTOBUFJS = fileURLToPath(new URL('../vendor/protobufjs.js', import.meta.url));
/** Its main file is not an ES module. */
const SIMILARITY = fileURLToPath(new URL('esm/mod.js', import.meta.resolve('fastest-levenshtein')));
const EXECUTABLE = 0o755;

const bundle = await rollup({
  input: MAIN,
  // An import of the index of a directory loads only the modules that have what is imported.
  treeshake: { moduleSideEffects: false },
  external: (id) => !/^[./]|^[a-z]:|^@noble\/|^#protobufjs$|^fastest-levenshtein$/i.test(id),
  plugins: [
    {
      name: 'without-comments',
      // Half as many bytes to read at each start; names stay, for stack traces.
      renderChunk: async (code) =>
        (await transform(code, { minifyWhitespace: true, legalComments: 'none' })).code,
    },
    {
      name: 'packages',
      resolveId(id) {
        if (id === '#protobufjs') return PROTOBUFJS;
        if (id === 'fastest-levenshtein') return SIMILARITY;
        return id.startsWith('@noble/') ? fileURLToPath(import.meta.resolve(id)) : null;
      },
    },
    {
      name: 'imports-of-packages',
      renderDynamicImport: ({ targetModuleId }) =>
        /^(?:node:|#)/.test(targetModuleId ?? '') ? { left: 'importModule(', right: ')' } : null,
    },
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
rmSync(DIRECTORY, { recursive: true, force: true });
await bundle.write({
  dir: DIRECTORY,
  format: 'cjs',
  entryFileNames: 'program.cjs',
  chunkFileNames: '[name].cjs',
});
const launcher = await rollup({ input: LAUNCHER, external: (id) => id !== LAUNCHER });
await launcher.write({ file: `${DIRECTORY}main.cjs`, format: 'cjs' });
chmodSync(`${DIRECTORY}main.cjs`, EXECUTABLE);
