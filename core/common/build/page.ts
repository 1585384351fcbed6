// Builds a page as one file that needs no network: script and style are inline, and the policy allows nothing else.

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { writeNotices } from './notices.js';

/** The style of the document; the components have their styles. */
const STYLE =
  ':root{color-scheme:light dark}body{margin:0}@media(prefers-color-scheme:dark){body{background:#0d1117}}';

/** Browsers have no `Buffer`, which the codec needs. */
const forBrowsers: Plugin = {
  name: 'browser',
  setup(builder) {
    builder.onResolve({ filter: /^node:buffer$/ }, () => ({ path: 'buffer', namespace: 'node' }));
    builder.onLoad({ filter: /./, namespace: 'node' }, () => ({
      contents: "export { Buffer } from '#proto/browser-buffer.js';",
      resolveDir: process.cwd(),
    }));
  },
};

/** Styles and templates without indentation, which would be a tenth of a page. */
const withoutIndentation: Plugin = {
  name: 'indentation',
  setup(builder) {
    builder.onLoad({ filter: /page\/[^/]+\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll(/\n\s+/g, '\n'),
      loader: 'ts',
    }));
  },
};

/** Markdown files as text, with some of their sections. */
const markdown = (sections: readonly string[] | undefined): Plugin => ({
  name: 'markdown',
  setup(builder) {
    builder.onLoad({ filter: /\.md$/ }, ({ path }) => {
      const all = readFileSync(path, 'utf8').split(/^(?=#{1,3} )/m);
      const found = all.filter(
        (text) => sections === undefined || sections.some((name) => text.startsWith(`### ${name}\n`)),
      );
      if (sections !== undefined && found.length !== sections.length)
        throw new Error(`${path} has ${found.length} of the sections ${sections.join(', ')}`);
      return { contents: found.join(''), loader: 'text' };
    });
  },
});

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The options of a page. */
export interface PageOptions {
  readonly title: string;
  /** The tag of its component. */
  readonly component: string;
  /** A sentence for browsers without JavaScript. */
  readonly instead: string;
  /** The address of the same page without JavaScript, to which such browsers go. @default none */
  readonly plain?: string;
  /** The style of what a server adds to the document outside of the component. @default none */
  readonly style?: string;
  /** Whether the page sends requests to its server. A page without requests contains the codec for JSON, which needs `Buffer`. */
  readonly connects: boolean;
  /** The name of the trusted types policy with which the page starts a worker from its own script; undefined for a page without a worker. */
  readonly worker?: string;
  /** The sections of Markdown files that it contains, by their headings of the third level. @default all */
  readonly sections?: readonly string[];
}

/**
 * Writes a page, FILE.html, and the licences of the packages in it, FILE.licenses.txt.
 *
 * @param main the TypeScript module that defines the component of the page, relative to the checkout
 * @param file without the ending, relative to the checkout, which is the working directory
 * @throws Error if the licence of a package is missing or not permissive
 */
export async function bundlePage(main: string, file: string, options: PageOptions): Promise<void> {
  const { outputFiles, metafile } = await build({
    entryPoints: [main],
    bundle: true,
    minify: true,
    write: false,
    platform: 'browser',
    target: 'es2022',
    format: 'iife',
    legalComments: 'none',
    metafile: true,
    // The package `long`, which protobufjs uses if it is there: `proto` reads 64-bit integers without it.
    external: ['long'],
    plugins: [forBrowsers, withoutIndentation, markdown(options.sections)],
    ...(!options.connects && { inject: ['node:buffer'] }),
  });
  // The end of a script element must not occur in it.
  const script = outputFiles[0]!.text.replaceAll('</script', '<\\/script');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.html`, pageOf(script, options));
  writeNotices(`${file}.licenses.txt`, `${basename(file)}.html`, Object.keys(metafile.inputs));
}

function pageOf(
  script: string,
  { title, component, instead, connects, worker, plain, style: own = '' }: PageOptions,
): string {
  const style = STYLE + own;
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    ...(connects ? ["connect-src 'self'"] : []),
    // The empty icon: without one browsers request /favicon.ico.
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    ...(worker === undefined ? [] : ['worker-src blob:']),
    `trusted-types lit-html${worker === undefined ? '' : ` ${worker}`}`,
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
${plain === undefined ? '' : `<noscript><meta http-equiv="refresh" content="0; url=${plain}"></noscript>\n`}<title>${title}</title>
<style>${style}</style>
</head>
<body>
<noscript>This page needs JavaScript. ${instead}</noscript>
<${component}></${component}>
<script>${script}</script>
</body>
</html>
`;
}
