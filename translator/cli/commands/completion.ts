// `completion`: writes the completion of a shell.

import { argument, defineCommand, type Command } from '../command.js';
import { UsageError } from '../errors.js';
import { printText } from '../files.js';
import { kind } from '../kinds.js';

const SHELLS = ['bash', 'zsh'] as const;

const shell = kind((given, name) => {
  const found = SHELLS.find((each) => each === given);
  if (found !== undefined) return found;
  throw new UsageError(`argument '${name}' must be ${SHELLS.join(' or ')}, found ${JSON.stringify(given)}`);
});

/** The command. @param commands returns the list of all commands, which contains this one */
export const completionOf = (commands: () => readonly Command[]): Command =>
  defineCommand({
    name: 'completion',
    help: 'Writes the completion of commands and flags for a shell. Load it with: source <(configtxlator completion bash)',
    example: 'completion bash',
    arguments: { shell: argument(shell, 'bash or zsh.') },
    async run({ shell: chosen }, io) {
      const { bashCompletion, zshCompletion } = await import('../completion.js');
      printText(chosen === 'bash' ? bashCompletion(commands()) : zshCompletion(commands()), io);
    },
  });
