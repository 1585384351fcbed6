// Build step: bundles the compiled modules into the program `configtxlator`, one ASCII file with a function (dist/configtxlator/program.cjs), and
// main.cjs, which starts it (launch.ts). Starting the program from separate modules takes 1.5 times as long.

import { chmodSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { writeNotices } from '../core/common/build/notices.js';

const MAIN = fileURLToPath(new URL('main.js', import.meta.url));
const LAUNCHER = fileURLToPath(new URL('launch.js', import.meta.url));
const DIRECTORY = fileURLToPath(new URL('../configtxlator/', import.meta.url));
const PROGRAM = `${DIRECTORY}program.cjs`;
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const EXECUTABLE = 0o755;
const MAX_ASCII = 0x7f;
/** Large packages that few commands load are not bundled. */
const EXTERNAL = [
  '@fastify/busboy',
  '@grpc/grpc-js',
  '@peculiar/asn1-schema',
  '@peculiar/asn1-x509',
  'pino',
  'yaml',
];

const modules: Plugin = {
  name: 'modules',
  setup(builder) {
    // Importing the index of a directory loads only the modules with the imported names.
    builder.onResolve({ filter: /^\./ }, async ({ path, pluginData, ...where }) => {
      if (pluginData === 'resolved' || where.kind === 'entry-point') return undefined;
      const found = await builder.resolve(path, { ...where, pluginData: 'resolved' });
      return found.external ? found : { path: found.path, sideEffects: found.path.includes('node_modules') };
    });
    // Modules find files of the package relative to themselves, so the URL of the original module is kept.
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
  outfile: PROGRAM,
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  external: EXTERNAL,
  // launch.ts runs the program with vm.Script, in which import() fails.
  supported: { 'dynamic-import': false },
  // A third of the bytes to read at each start.
  minify: true,
  legalComments: 'none',
  banner: { js: '(function (exports, require, module, __filename) {' },
  footer: { js: '\n})' },
  metafile: true,
  logLevel: 'warning',
  plugins: [modules],
});
// esbuild escapes other characters, but not in regular expressions.
if (readFileSync(PROGRAM).some((byte) => byte > MAX_ASCII)) throw new Error(`${PROGRAM} is not ASCII`);
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
