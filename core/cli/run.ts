// Runs the command that the arguments name.

import { suggestion } from '../common/text/nearest.js';
import { errorCodeOf, problemsOf } from '../contract/errors.js';
import { AgentError } from '../contract/index.js';
import { EXIT, type Command, type Process } from './command.js';

const help: Command = {
  help: 'Usage: fabric-ops-agent help [COMMAND]\n\nPrints the list of commands, or the help of one command.\n',
  async run([name], process) {
    process.out(name === undefined ? overview() : (await loadCommand(name)).help);
    return EXIT.ok;
  },
};

/** A command in the list of `help`. */
interface Entry {
  readonly summary: string;
  /** Imports the command, so that no command loads the others. */
  load(): Command | Promise<Command>;
}

/** All commands by the first argument of the program, in the order of `help`. */
const COMMANDS: ReadonlyMap<string, Entry> = new Map<string, Entry>([
  ['start', { summary: 'run the agent', load: async () => (await import('./start.js')).start }],
  [
    'nodes',
    {
      summary: 'find the nodes of this host, and write a configuration for them',
      load: async () => (await import('../tools/nodes/command.js')).nodesCommand('/proc'),
    },
  ],
  [
    'config',
    { summary: 'check or print the settings', load: async () => (await import('./config.js')).config },
  ],
  [
    'plugins',
    {
      summary: 'list the plugins, or the options of one plugin',
      load: async () => (await import('./plugins.js')).plugins,
    },
  ],
  [
    'check',
    {
      summary: 'run all checks once, without a running agent',
      load: async () => (await import('../tools/check.js')).check,
    },
  ],
  [
    'healthcheck',
    {
      summary: 'check the health of a running agent',
      load: async () => (await import('./healthcheck.js')).healthcheck,
    },
  ],
  [
    'status',
    {
      summary: 'show the nodes and the health of a running agent',
      load: async () => (await import('./status.js')).status,
    },
  ],
  [
    'silence',
    {
      summary: 'quiet the notifiers of a running agent during planned work',
      load: async () => (await import('./silence.js')).silence,
    },
  ],
  [
    'bundle',
    {
      summary: 'write a support bundle without secrets',
      load: async () => (await import('../tools/bundle/bundle.js')).bundle,
    },
  ],
  [
    'preflight',
    {
      summary: 'check whether a node would start, and why not',
      load: async () => (await import('../tools/preflight/command.js')).preflight,
    },
  ],
  [
    'snapshot',
    {
      summary: 'verify the files of a snapshot of a peer',
      load: async () => (await import('../tools/snapshot.js')).snapshot,
    },
  ],
  [
    'rescue',
    {
      summary: 'plan the recovery of a network with expired certificates',
      load: async () => (await import('../tools/rescue/command.js')).rescue,
    },
  ],
  [
    'demo',
    {
      summary: 'show the page with recorded incidents, without a node',
      load: async () => (await import('../tools/demo.js')).demo,
    },
  ],
  ['version', { summary: 'print the version', load: async () => (await import('./version.js')).version }],
  ['help', { summary: 'print this list, or the help of a command', load: () => help }],
]);

/** Runs a command and prints its errors, one problem per line. Returns the exit status. */
export async function run(args: readonly string[], process: Process): Promise<number> {
  try {
    const [name = '--help', ...rest] = args;
    if (name === '--help' || name === '-h') return await help.run([], process);
    const command = await loadCommand(name === '--version' || name === '-v' ? 'version' : name);
    if (rest.includes('--help') || rest.includes('-h')) {
      process.out(command.help);
      return EXIT.ok;
    }
    return await command.run(rest, process);
  } catch (error) {
    process.error(
      problemsOf(error)
        .map((line) => `fabric-ops-agent: error: ${line}\n`)
        .join(''),
    );
    const code = errorCodeOf(error);
    return code === 'SETTINGS_INVALID' || code === 'USAGE' ? EXIT.usage : EXIT.failed;
  }
}

/**
 * Finds a command by its name.
 *
 * @throws AgentError `USAGE`
 */
async function loadCommand(name: string): Promise<Command> {
  const entry = COMMANDS.get(name);
  if (entry === undefined)
    throw new AgentError('USAGE', `unknown command '${name}'; ${suggestion(name, [...COMMANDS.keys()])}`);
  return entry.load();
}

function overview(): string {
  const lines = [...COMMANDS].map(([name, { summary }]) => `  ${name.padEnd(12)} ${summary}\n`);
  return `fabric-ops-agent: operations agent for Hyperledger Fabric nodes\n\nUsage: fabric-ops-agent COMMAND [FLAGS]\n\n${lines.join('')}\nfabric-ops-agent COMMAND --help prints the flags of a command.\n`;
}
