// Documents that are wrong do not get past test/helpers/documents/story.ts.

import test from 'ava';
import { codeBlocks } from './helpers/markdown.js';
import { tell } from './helpers/documents/story.js';

const WRONG: Readonly<Record<string, readonly [text: string, error: RegExp]>> = {
  'a command that fails': [
    '```sh\ntrue\nfalse\ntrue\n```\n',
    /^README.md:2: true\nfalse\ntrue\nended with status 1:/,
  ],
  'another output': [
    '```console\n$ true\n$ echo one\ntwo\n```\n',
    /^README.md:3: echo one\nprinted, .*:\none$/,
  ],
  'more output': ['```console\n$ echo one; echo two\none\n```\n', /:\none\ntwo$/],
  'output of a silent command': [
    '```console\n$ true\n…\none\n```\n',
    /in the background did not print\none\nbut\n$/,
  ],
  'a program in the background that nobody waits for': [
    '```sh\nsleep 9 &\n```\n',
    /^README.md:2: a program that is started/,
  ],
  'output without a command': ['```console\none\n```\n', /^line 2: a console block begins with a command/],
  'a shell that ends': ['```sh\nexit 3\n```\n', /ended with status 3:/],
};

for (const [what, [text, message]] of Object.entries(WRONG)) {
  test(`${what} makes a document fail`, async (t) => {
    await t.throwsAsync(tell(t, 'README.md', codeBlocks(text)), { message });
  });
}

const RIGHT = `
\`\`\`yaml
# folder/file.yaml
key: value
\`\`\`

\`\`\`sh
cd folder
word=text
\`\`\`

\`\`\`console
$ cat file.yaml; echo $word >&2
# folder/file.yaml
key: …
text
$ echo at $(date -u +%FT%TZ) \\
    from /etc/hyperledger
at 2026-11-20T10:00:00Z from /etc/hyperledger
$ seq 5; false
1
…
5
$ (trap 'echo bye; exit' TERM; echo ready; while :; do sleep 0.1; done) &
ready
$ kill $!
bye
\`\`\`
`;

test('files, folders, variables, several lines, times, ellipses and programs in the background are understood', async (t) => {
  t.is(await tell(t, 'README.md', codeBlocks(RIGHT)), 2);
});
