// Tests of test/helpers/documents/run-document.ts with invalid and valid documents.

import test from 'ava';
import { codeBlocks } from './helpers/markdown.js';
import { runDocument } from './helpers/documents/run-document.js';

const INVALID: Readonly<Record<string, readonly [text: string, error: RegExp]>> = {
  'a command that fails': [
    '```sh\ntrue\nfalse\ntrue\n```\n',
    /^proto\/README.md:2: true\nfalse\ntrue\nexited with status 1:/,
  ],
  'different output': [
    '```console\n$ true\n$ echo one\ntwo\n```\n',
    /^proto\/README.md:3: echo one\nprinted \(.*\):\none$/,
  ],
  'additional output': ['```console\n$ echo one; echo two\none\n```\n', /:\none\ntwo$/],
  'missing output': [
    '```console\n$ true\n…\none\n```\n',
    /background programs did not print\none\nThey printed\n$/,
  ],
  'a background program in an sh block': [
    '```sh\nsleep 9 &\n```\n',
    /^proto\/README.md:2: start background programs/,
  ],
  'output without a command': [
    '```console\none\n```\n',
    /^line 2: a console block must begin with "\$ " and a command/,
  ],
  'a command that exits the shell': ['```sh\nexit 3\n```\n', /exited with status 3:/],
};

for (const [problem, [text, message]] of Object.entries(INVALID)) {
  test(`${problem} makes a document fail`, async (t) => {
    await t.throwsAsync(runDocument(t, 'proto/README.md', codeBlocks(text)), { message });
  });
}

const VALID = `
\`\`\`yaml
# directory/file.yaml
key: value
\`\`\`

\`\`\`sh
cd directory
word=text
\`\`\`

\`\`\`console
$ cat file.yaml; echo $word >&2
# directory/file.yaml
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

test('files, directories, variables, continued lines, times, ellipses and background programs work', async (t) => {
  t.is(await runDocument(t, 'proto/README.md', codeBlocks(VALID)), 2);
});
