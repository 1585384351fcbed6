// Build step: prints the explanations of findings for `configtxlator explain`, and the same as the table `findings.md`.

import { writeFileSync } from 'node:fs';
import { makeExplanations } from '../helpers/explanations.js';

const LONGEST = 120;
const DIST = new URL('../../', import.meta.url);

const cell = (text: string): string =>
  text.replaceAll(/[_|<>*]/g, (each) => `\\${each}`).replaceAll('\n', ' ');
const code = (text: string): string =>
  `\`${(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text).replaceAll('|', '\\|')}\``;

const explanations = await makeExplanations();
const rows = explanations.map(({ id, severity, meaning, orderer, text, todo }) => [
  code(id),
  severity,
  cell(meaning),
  orderer === undefined ? '' : code(orderer),
  cell(text),
  cell(todo),
]);
const lines = [
  ['id', 'severity', 'what it means', 'orderer', 'sentence (an example)', 'what to do'],
  Array.from({ length: 6 }, () => '---'),
  ...rows,
].map((row) => `| ${row.join(' | ')} |\n`);
const write = (name: string, text: string): void => writeFileSync(new URL(name, DIST), text);
write('findings.json', `${JSON.stringify(explanations)}\n`);
write('findings.md', `# The findings of a review and a check\n\n${lines.join('')}`);
