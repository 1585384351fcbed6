// `explain`: what a finding of a review or a check means.

import { onOneLine } from '../../../core/common/text/one-line.js';
import { table } from '../../../core/common/text/table.js';
import type { Explanation } from '../../built-files.js';
import { defineCommand, optionalArgument } from '../command.js';
import { CommandError } from '../errors.js';
import { jsonText, printText } from '../files.js';
import { JSON_FLAG } from '../flags.js';
import { text } from '../kinds.js';

/** The command. */
export const explain = defineCommand({
  name: 'explain',
  help: 'Explains a finding of a review or a check with an example; without an id lists all findings.',
  example: 'explain consenter-removed',
  flags: { json: JSON_FLAG },
  arguments: { id: optionalArgument(text, 'The id of the finding.') },
  async run({ id, json }, io) {
    const { readExplanations } = await import('../../built-files.js');
    const all = readExplanations();
    const found = all.filter((each) => id === undefined || each.id === id);
    if (found.length === 0) throw new CommandError(await unknownId(id!, all));
    if (json) return printText(jsonText(found), io);
    if (id !== undefined) return printText(found.map(explained).join('\n'), io);
    const rows = found.map((each) => [each.id, each.severity, each.meaning]);
    return printText(`${table(rows, '').join('\n')}\n`, io);
  },
});

function explained({ id, severity, meaning, orderer, text: sentence, todo, data }: Explanation): string {
  const rows = [
    ['example', sentence],
    ...(orderer === undefined ? [] : [['orderer', onOneLine(orderer)]]),
    ['to do', todo],
    ['data', JSON.stringify(data)],
  ];
  return `${id} (${severity}): ${meaning}\n${table(rows).join('\n')}\n`;
}

async function unknownId(id: string, all: readonly Explanation[]): Promise<string> {
  const { nearest } = await import('../../../core/common/text/nearest.js');
  const near = nearest(id, new Set(all.map((each) => each.id)));
  const hint = near.length === 0 ? 'explain without an id lists all' : `did you mean ${near.join(' or ')}?`;
  return `there is no finding ${JSON.stringify(id)}: ${hint}`;
}
