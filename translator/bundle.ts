// Build step: bundles the compiled modules into the program `configtxlator`, one CommonJS file (dist/configtxlator/program.cjs), and
// main.cjs, which starts it (launch.ts). Starting the program from the single modules takes half as long again.

import { chmodSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { writeNotices } from '../core/common/build/notices.js';

const MAIN = fileURLToPath(new URL('main.js', import.meta.url));
const LAUNCHER = fileURLToPath(new URL('launch.js', import.meta.url));
const DIRECTORY = fileURLToPath(new URL('../configtxlator/', import.meta.url));
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const EXECUTABLE = 0o755;
/** Loaded by few commands, and large: they stay packages. */
const EXTERNAL = ['@fastify/busboy', '@grpc/grpc-js', 'pino', 'yaml'];

const modules: Plugin = {
  name: 'modules',
  setup(builder) {
    // An import of the index of a directory loads only the modules that have what is imported.
    builder.onResolve({ filter: /^\./ }, async ({ path, pluginData, ...where }) => {
      if (pluginData === 'resolved' || where.kind === 'entry-point') return undefined;
      const found = await builder.resolve(path, { ...where, pluginData: 'resolved' });
      return found.external ? found : { path: found.path, sideEffects: found.path.includes('node_modules') };
    });
    // Modules find files of the package relative to themselves: keep the URL of the original module.
    builder.onLoad({ filter: /\/dist\/.*\.js$/ }, ({ path }) => {
      const code = readFileSync(path, 'utf8');
      if (!code.includes('import.meta.url')) return undefined;
      const url = `new URL('${relative(DIRECTORY, path)}', require('node:url').pathToFileURL(__filename)).href`;
      return { contents: code.replaceAll('import.meta.url', url) };
    });
  },
};

rmSync(DIRECTORY, { recursive: true, force: true });
mkdirSync(DIRECTORY);
const { metafile } = await build({
  absWorkingDir: ROOT,
  entryPoints: [MAIN],
  outfile: `${DIRECTORY}program.cjs`,
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  external: EXTERNAL,
  // Compiled code has no import().
  supported: { 'dynamic-import': false },
  // Half as many bytes to read at each start; names stay, for stack traces.
  minifyWhitespace: true,
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
  plugins: [modules],
});
writeNotices(`${DIRECTORY}LICENSES.txt`, 'program.cjs', Object.keys(metafile.inputs));
await build({
  entryPoints: [LAUNCHER],
  outfile: `${DIRECTORY}main.cjs`,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  minifyWhitespace: true,
});
chmodSync(`${DIRECTORY}main.cjs`, EXECUTABLE);
