// Runs every `sh` and `console` block of a document, in order, in one bash shell and a temporary directory. New documents are found
// automatically. Blocks that cannot be run are listed in `not-run.ts`.
//
// - `sh`: commands to paste. The block must exit with status 0.
// - `console`: lines after `$ ` are commands; a `\` at the end of a line continues them. The lines that follow are the expected output,
//   stdout and stderr together, whatever the exit status. `printed.ts` lists text that may differ. A line `…` stands for any lines, and
//   `…` within a line for any text.
// - Any other block whose first line is a comment with only a file name (`# agent.yaml`, `// disk.mjs`) is written to that file.
// - A program that keeps running is started with `&` in a `console` block, followed by the line that it prints when it is ready. The
//   test waits for that line. Lines that it prints later may follow the command that causes them, such as `kill -HUP $!`; other output
//   need not be shown. Programs that are still running at the end are stopped.
// - `fabric-ops-agent` and `configtxlator` are on PATH, and the package is in `node_modules`. `fixtures.ts` provides the files that a
//   reader already has (`core.yaml` of a node, `config_block.pb`) and replaces system paths such as /etc/hyperledger with temporary
//   directories. The `*.yaml`, `*.json` and `*.service` files in the directory of the document are copied.
// - Ports are used as written, in a separate network namespace if the machine allows it. config/monitor.md runs beside a peer and an orderer.
// - `REWRITE_SAMPLES=1` writes the output of the commands whose sample is stale into the documents, except samples with `…`. Without it they fail.
//
// test/e2e/documents.test.ts runs all documents; some need the daemons that `npm run test:e2e` installs.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import { codeBlocks, type CodeBlock } from '../markdown.js';
import { NOT_RUN, type NotRun } from './not-run.js';
import { appearInOrder, normalizedLines, remainingLines } from './printed.js';
import { COMMAND_TIMEOUT, refuseTakenPorts, Shell } from './shell.js';
import { REPOSITORY, fixtures, type Fixtures } from './fixtures.js';

/** Whether stale samples are replaced, instead of failing. */
const REWRITES = process.env.REWRITE_SAMPLES === '1';

const LANGUAGES = new Set(['sh', 'console']);
const BACKGROUND = /(?<!&)&[ \t]*(?:#.*)?$/m;

/** A command of a document, and its output if the document shows it. */
interface Command {
  readonly text: string;
  readonly line: number;
  readonly printed?: string;
}

/** Returns the paths of all documents in the repository. */
export function documents(directory = ''): string[] {
  return readdirSync(join(REPOSITORY, directory), { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isFile()) return entry.name.endsWith('.md') ? [path] : [];
    return entry.isDirectory() && !/^(?:\..*|node_modules|dist)$/.test(entry.name) ? documents(path) : [];
  });
}

/** Returns the code blocks of a document. */
export const blocksOf = (document: string): CodeBlock[] =>
  codeBlocks(readFileSync(join(REPOSITORY, document), 'utf8'));

/** Returns the blocks of a document that contain commands. */
export const commandBlocks = (document: string): CodeBlock[] =>
  blocksOf(document).filter(({ language }) => LANGUAGES.has(language));

/** Returns the entry of `not-run.ts` for a block. */
export const notRun = (document: string, { text }: CodeBlock): NotRun | undefined =>
  NOT_RUN.find((each) => each.document === document && each.line === text.split('\n', 1)[0]);

/** Runs the command blocks of a document, except those of `not-run.ts`. Returns the number of command blocks. */
export async function runDocument(
  t: ExecutionContext,
  document: string,
  blocks = blocksOf(document),
): Promise<number> {
  const environment = await fixtures(t, document);
  const { directory, variables, usesNetworkOfTests } = environment;
  const shell = new Shell(t, directory, variables, usesNetworkOfTests);
  await refuseTakenPorts(blocks.map(({ text }) => text).join('\n'), usesNetworkOfTests);
  const samples: Sample[] = [];
  let count = 0;
  for (const block of blocks) {
    if (!LANGUAGES.has(block.language)) {
      if (block.file !== undefined) environment.write(block.file, block.text);
      continue;
    }
    count += 1;
    for (const command of commandsOf(document, block))
      await runCommand(shell, environment, document, command, samples);
  }
  if (samples.length > 0) replaceSamples(document, samples);
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
      `${document}:${block.line}: start background programs in a console block, followed by the line that they print when they are ready`,
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
    else throw new Error(`line ${first}: a console block must begin with "$ " and a command`);
  }
  return commands;
}

/** The new output of a command. */
interface Sample {
  readonly command: Command;
  readonly output: string;
}

/** Writes the new output of commands into a document; the last ones first, so that the lines of the others stay. */
function replaceSamples(document: string, samples: readonly Sample[]): void {
  const path = join(REPOSITORY, document);
  const lines = readFileSync(path, 'utf8').split('\n');
  for (const { command, output } of samples.toReversed()) {
    // `line` counts from 1 and is that of the command.
    const start = command.line - 1 + command.text.split('\n').length;
    const old = (command.printed ?? '').split('\n').length - 1;
    lines.splice(start, old, ...output.trimEnd().split('\n'));
  }
  writeFileSync(path, lines.join('\n'));
}

async function runCommand(
  shell: Shell,
  environment: Fixtures,
  document: string,
  command: Command,
  samples: Sample[],
): Promise<void> {
  const isBackground = BACKGROUND.test(command.text);
  const mark = shell.mark();
  const options = command.printed === undefined ? 'set -e' : 'set +e';
  const { status, output } = await shell.run(
    `${options}\n${environment.toTemporary(command.text)}\n`,
    isBackground,
  );
  const where = `${document}:${command.line}: ${command.text.trimEnd()}`;
  if (status === null) throw new Error(`${where}\ndid not finish:\n${output}`);
  if (command.printed === undefined) {
    if (status !== 0) throw new Error(`${where}\nexited with status ${status}:\n${output}`);
    return;
  }
  const expected = normalizedLines(command.printed);
  const printed = isBackground ? [] : normalizedLines(environment.toSystem(output));
  const remaining = remainingLines(expected, printed);
  if (remaining === undefined && REWRITES && !command.printed.includes('…')) {
    samples.push({ command, output: environment.toSystem(output) });
    return;
  }
  if (remaining === undefined)
    throw new Error(`${where}\nprinted (without text that may differ):\n${printed.join('\n')}`);
  const printedLater = (): string[] => normalizedLines(environment.toSystem(shell.printedSince(mark)));
  const start = performance.now();
  while (!appearInOrder(remaining, printedLater())) {
    if (!shell.hasBackground || performance.now() - start > COMMAND_TIMEOUT)
      throw new Error(
        `${where}\nbackground programs did not print\n${remaining.join('\n')}\nThey printed\n${printedLater().join('\n')}`,
      );
    await sleep(50);
  }
}
