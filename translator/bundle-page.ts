// Build step: the page as one file, dist/translator/page.html, that needs no network.

import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const MAIN = fileURLToPath(new URL('../../translator/page/main.ts', import.meta.url));
const PAGE = fileURLToPath(new URL('page.html', import.meta.url));
/** Of the document; the components bring their own. */
const STYLE =
  ':root{color-scheme:light dark}body{margin:0}@media(prefers-color-scheme:dark){body{background:#0d1117}}';

const { outputFiles } = await build({
  entryPoints: [MAIN],
  bundle: true,
  minify: true,
  write: false,
  platform: 'browser',
  target: 'es2022',
  format: 'iife',
  legalComments: 'none',
});
// The end of a script element must not occur in it.
const script = outputFiles[0]!.text.replaceAll('</script', '<\\/script');
const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const policy = [
  "default-src 'none'",
  `script-src ${hashOf(script)}`,
  `style-src ${hashOf(STYLE)}`,
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types lit-html',
].join('; ');

writeFileSync(
  PAGE,
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Channel configuration</title>
<style>${STYLE}</style>
</head>
<body>
<channel-page></channel-page>
<script>${script}</script>
</body>
</html>
`,
);
