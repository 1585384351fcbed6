import { build } from 'esbuild';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
const r = await build({
  entryPoints: ['translator/page/main.ts'],
  bundle: true,
  minify: true,
  write: false,
  platform: 'browser',
  target: 'es2022',
  format: 'iife',
  legalComments: 'none',
  metafile: true,
  inject: ['node:buffer'],
  outfile: '/tmp/o.js',
  absWorkingDir: '/work/w3',
  plugins: [
    ...(process.env.STUB
      ? [
          {
            name: 'stub',
            setup(b) {
              b.onLoad({ filter: new RegExp(process.env.STUB) }, () => ({
                contents: process.env.WITH ?? 'export {}',
                loader: 'js',
              }));
            },
          },
        ]
      : []),
    ...(process.env.WS
      ? [
          {
            name: 'ws',
            setup(b) {
              b.onLoad({ filter: /page\/.*\.ts$/ }, ({ path }) => ({
                contents: readFileSync(path, 'utf8').replaceAll(/\n\s+/g, '\n'),
                loader: 'ts',
              }));
            },
          },
        ]
      : []),
    {
      name: 'b',
      setup(b) {
        b.onResolve({ filter: /^node:buffer$/ }, () => ({ path: 'buffer', namespace: 'node' }));
        b.onLoad({ filter: /./, namespace: 'node' }, () => ({
          contents: "export { Buffer } from 'buffer/';",
          resolveDir: '/work/w3',
        }));
      },
    },
    {
      name: 's',
      setup(b) {
        b.onLoad({ filter: /styles\.ts$/ }, ({ path }) => ({
          contents: readFileSync(path, 'utf8').replaceAll(/\n\s+/g, '\n'),
          loader: 'ts',
        }));
        b.onLoad({ filter: /\.md$/ }, ({ path }) => ({ contents: '', loader: 'text' }));
      },
    },
  ],
});
const text = r.outputFiles[0].text;
const total = gzipSync(text, { level: 9 }).length;
console.log('total', text.length, total);
