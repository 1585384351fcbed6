// Runs the documents as their readers do: every `sh` and `console` block of a document, in order, as one story, by one bash, in a
// folder of its own. A new document is found by itself; nothing has to be said about it but for what cannot be run (`not-run.ts`).
//
// - `sh`: commands to paste. Each must end with status 0.
// - `console`: lines after `$ ` are commands, also over several lines that end in `\`. What follows must be what they print, on
//   either stream, whatever their status; `printed.ts` has the list of what may differ. A line `…` stands for any lines, a `…` in
//   a line for any text.
// - Any other block whose first line is a comment with nothing but a file name (`# agent.yaml`, `// disk.mjs`) is written to that
//   file when the story comes to it.
// - A program that goes on is started with `&`, in a `console` block, followed by the line that it prints when it is ready: that
//   is what the reader waits for, too. Lines that it prints later may follow the command that makes it do so, such as `kill -HUP $!`;
//   others that it prints need not be shown. Whatever runs at the end is stopped.
// - `fabric-ops-agent` and `configtxlator` are on PATH, and the package is in `node_modules`. `fixtures.ts` has the files
//   that a reader is given (a node's `core.yaml`, a `config_block.pb`), and the places such as /etc/hyperledger that
//   become folders of the story. The files beside a document (`*.yaml`, `*.json`, `*.service`) are there as well.
// - Ports are used as they are written: a story has a loopback of its own, where the machine allows that.
//
// test/e2e/documents.test.ts runs them all: some need the daemons that `npm run test:e2e` installs.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import { codeBlocks, type CodeBlock } from '../markdown.js';
import { NOT_RUN, type NotRun } from './not-run.js';
import { appearIn, linesLeft, linesOf } from './printed.js';
import { PATIENCE, refuseTakenPorts, Shell } from './shell.js';
import { REPOSITORY, fixtures, type Fixtures } from './fixtures.js';

const LANGUAGES = new Set(['sh', 'console']);
const BACKGROUND = /(?<!&)&[ \t]*(?:#.*)?$/m;

/** A command of a document, and what it prints if the document says so. */
interface Command {
  readonly text: string;
  readonly line: number;
  readonly printed?: string;
}

/** Every document of the repository, by its path. */
export function documents(folder = ''): string[] {
  return readdirSync(join(REPOSITORY, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isFile()) return /^(?:README|CHANGELOG)\.md$/.test(entry.name) ? [path] : [];
    return entry.isDirectory() && !/^(?:\..*|node_modules|dist)$/.test(entry.name) ? documents(path) : [];
  });
}

/** The code blocks of a document. */
export const blocksOf = (document: string): CodeBlock[] =>
  codeBlocks(readFileSync(join(REPOSITORY, document), 'utf8'));

/** The blocks of a document that are commands. */
export const commandBlocks = (document: string): CodeBlock[] =>
  blocksOf(document).filter(({ language }) => LANGUAGES.has(language));

/** What is said of a block that is not run as it stands. */
export const notRun = (document: string, { text }: CodeBlock): NotRun | undefined =>
  NOT_RUN.find((each) => each.document === document && each.line === text.split('\n', 1)[0]);

/** Runs every command block of a document but for those of `not-run.ts`; returns how many there were. */
export async function tell(
  t: ExecutionContext,
  document: string,
  blocks = blocksOf(document),
): Promise<number> {
  const around = fixtures(t, document);
  const shell = new Shell(t, around.folder, around.environment);
  await refuseTakenPorts(blocks.map(({ text }) => text).join('\n'));
  let count = 0;
  for (const block of blocks) {
    if (!LANGUAGES.has(block.language)) {
      if (block.file !== undefined) around.write(block.file, block.text);
      continue;
    }
    count += 1;
    for (const command of commandsOf(document, block)) await runCommand(shell, around, document, command);
  }
  t.true(count > 0);
  return count;
}

function commandsOf(document: string, block: CodeBlock): readonly Command[] {
  const exception = notRun(document, block);
  if (exception !== undefined)
    return exception.instead === undefined ? [] : parseConsole(`$ ${exception.instead}`, block.line);
  if (block.language === 'console') return parseConsole(block.text, block.line);
  if (BACKGROUND.test(block.text))
    throw new Error(
      `${document}:${block.line}: a program that is started with & belongs into a console block, with what it prints when it is ready`,
    );
  return [{ text: block.text, line: block.line }];
}

function parseConsole(text: string, first: number): readonly Command[] {
  const commands: { text: string; line: number; printed: string }[] = [];
  for (const [index, line] of text.replace(/\n$/, '').split('\n').entries()) {
    const last = commands.at(-1);
    if (last?.printed === '' && last.text.endsWith('\\')) last.text += `\n${line}`;
    else if (line.startsWith('$ ')) commands.push({ text: line.slice(2), line: first + index, printed: '' });
    else if (last !== undefined) last.printed += `${line}\n`;
    else throw new Error(`line ${first}: a console block begins with a command after $`);
  }
  return commands;
}

async function runCommand(shell: Shell, around: Fixtures, document: string, command: Command): Promise<void> {
  const isBackground = BACKGROUND.test(command.text);
  const mark = shell.mark();
  const options = command.printed === undefined ? 'set -e' : 'set +e';
  const { status, output } = await shell.run(`${options}\n${around.inside(command.text)}\n`, isBackground);
  const where = `${document}:${command.line}: ${command.text.trimEnd()}`;
  if (status === null) throw new Error(`${where}\ndid not come to an end:\n${output}`);
  if (command.printed === undefined) {
    if (status !== 0) throw new Error(`${where}\nended with status ${status}:\n${output}`);
    return;
  }
  const expected = linesOf(command.printed);
  const printed = isBackground ? [] : linesOf(around.outside(output));
  const left = linesLeft(expected, printed);
  if (left === undefined)
    throw new Error(`${where}\nprinted, without what may differ:\n${printed.join('\n')}`);
  const behind = (): string[] => linesOf(around.outside(shell.printedSince(mark)));
  const start = performance.now();
  while (!appearIn(left, behind())) {
    if (!shell.hasBackground || performance.now() - start > PATIENCE)
      throw new Error(
        `${where}\nprograms in the background did not print\n${left.join('\n')}\nbut\n${behind().join('\n')}`,
      );
    await sleep(50);
  }
}
