// Pages as one file that loads nothing.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { bundlePage, type PageOptions } from '../../../../core/common/build/page.js';
import { temporaryFolder } from '../../../helpers/folder.js';

const RUNBOOK = '# Runbook\n\n### First\n\none\n\n### First and more\n\ntwo\n\n### Last\n\nthree\n';
const OPTIONS: PageOptions = {
  title: 'Nodes',
  component: 'a-page',
  instead: 'Use a command.',
  connects: true,
};

/** The page of a module, its script, and its policy by directive. */
async function pageOf(
  t: ExecutionContext,
  main: string,
  options: Partial<PageOptions> = {},
): Promise<{ html: string; script: string; policy: ReadonlyMap<string, string> }> {
  const folder = temporaryFolder(t, {
    'main.ts': main,
    'runbook.md': RUNBOOK,
    'page/styles.ts': 'export const styles = `a {\n    color: red;\n  }`;\n',
  });
  const file = join(folder, 'out/page');
  await bundlePage(join(folder, 'main.ts'), file, { ...OPTIONS, ...options });
  t.is(
    readFileSync(`${file}.licenses.txt`, 'utf8').split('\n')[0],
    'page.html contains parts of the following packages.',
  );
  const html = readFileSync(`${file}.html`, 'utf8');
  const [, content = ''] = /Content-Security-Policy" content="([^"]*)"/.exec(html) ?? [];
  const [, script = ''] = /<script>([^]*)<\/script>/.exec(html) ?? [];
  return {
    html,
    script,
    policy: new Map(
      content.split('; ').map((each) => [each.split(' ')[0]!, each.slice(each.indexOf(' ') + 1)]),
    ),
  };
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

test('the policy of a page allows its own script and style, and requests to its server', async (t) => {
  const { html, script, policy } = await pageOf(t, "document.title += '</script><b>';", {
    style: 'nav{margin:0}',
    plain: '?plain',
  });
  t.is(html.match(/<\/script>/g)?.length, 1);
  t.true(script.includes(String.raw`<\/script><b>`));
  const [, style = ''] = /<style>([^]*)<\/style>/.exec(html) ?? [];
  t.true(style.endsWith('nav{margin:0}'));
  t.deepEqual(Object.fromEntries(policy), {
    'default-src': "'none'",
    'script-src': hashOf(script),
    'style-src': hashOf(style),
    'connect-src': "'self'",
    'img-src': 'data:',
    'base-uri': "'none'",
    'form-action': "'none'",
    'require-trusted-types-for': "'script'",
    'trusted-types': 'lit-html',
  });
  t.true(html.includes('<title>Nodes</title>'));
  t.true(html.includes('<noscript><meta http-equiv="refresh" content="0; url=?plain"></noscript>\n'));
  t.true(html.includes('<noscript>This page needs JavaScript. Use a command.</noscript>\n<a-page></a-page>'));
  t.notRegex(html, /(?:src|href)="(?!data:,")/);
});

test('a page that sends no requests has no connections in its policy, and Buffer, which browsers do not have', async (t) => {
  const main = 'document.title = Buffer.from("a").toString("hex");';
  const offline = await pageOf(t, main, { connects: false, worker: 'review' });
  t.false(offline.policy.has('connect-src'));
  t.is(offline.policy.get('worker-src'), 'blob:');
  t.is(offline.policy.get('trusted-types'), 'lit-html review');
  t.true(offline.script.includes('base64'));
  const online = await pageOf(t, main);
  t.false(online.script.includes('base64'));
});

for (const [sections, found] of [
  [undefined, ['one', 'two', 'three']],
  [['First'], ['one']],
  [
    ['Last', 'First'],
    ['one', 'three'],
  ],
] as const)
  test(`of a document the sections ${sections?.join(' and ') ?? 'without a choice'} are in the page`, async (t) => {
    const { script } = await pageOf(
      t,
      "import text from './runbook.md'; document.title = text;",
      sections && { sections },
    );
    t.deepEqual(
      ['one', 'two', 'three'].filter((each) => script.includes(each)),
      [...found],
    );
  });

test('styles and templates of a page have no indentation', async (t) => {
  const { script } = await pageOf(t, "import { styles } from './page/styles'; document.title = styles;");
  t.true(script.includes('a {\ncolor: red;\n}'));
});
