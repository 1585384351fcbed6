import { readBuildInfo } from '../service/index.js';
import { readArguments } from './arguments.js';
import { EXIT, type Command } from './command.js';

/** Shows which build this is. */
export const version: Command = {
  name: 'version',
  summary: 'show the version',
  help: `Usage: fabric-ops-agent version

Shows the version and the commit that the program was built from.
`,
  async run(args, process) {
    readArguments(args, {});
    const { version: number, commit } = readBuildInfo();
    process.out(`fabric-ops-agent ${number} (${commit})\n`);
    return EXIT.ok;
  },
};
