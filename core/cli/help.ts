import { AgentError } from '../contract/index.js';
import { suggestion } from '../common/text/nearest.js';
import { EXIT, type Command } from './command.js';

/** Creates the command that prints the list of commands, or the help of one command. */
export function createHelp(commands: readonly Command[]): Command {
  const help: Command = {
    name: 'help',
    summary: 'print this list, or the help of a command',
    help: 'Usage: fabric-ops-agent help [COMMAND]\n\nPrints the list of commands, or the help of one command.\n',
    async run([name], process) {
      if (name === undefined) process.out(overview([...commands, help]));
      else process.out(findCommand([...commands, help], name).help);
      return EXIT.ok;
    },
  };
  return help;
}

/**
 * Finds a command by its name.
 *
 * @throws AgentError `USAGE`
 */
export function findCommand(commands: readonly Command[], name: string): Command {
  const command = commands.find((candidate) => candidate.name === name);
  if (command !== undefined) return command;
  const names = commands.map((candidate) => candidate.name);
  throw new AgentError('USAGE', `unknown command '${name}'; ${suggestion(name, names)}`);
}

function overview(commands: readonly Command[]): string {
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(12)} ${summary}\n`);
  return `fabric-ops-agent: an operations service for Hyperledger Fabric nodes\n\nUsage: fabric-ops-agent COMMAND [FLAGS]\n\n${lines.join('')}\nfabric-ops-agent COMMAND --help prints the flags of a command.\n`;
}
