// `version`: the release, the commit and the platform.

import { readBuildInfo } from '../common/files/build-info.js';
import { readArguments } from './arguments.js';
import { EXIT, type Command } from './command.js';

/** Prints version and commit. */
export const version: Command = {
  help: `Usage: fabric-ops-agent version

Prints the version and the commit of the build.
`,
  async run(args, process) {
    readArguments(args, {});
    const { version: number, commit } = readBuildInfo();
    process.out(`fabric-ops-agent ${number} (${commit})\n`);
    return EXIT.ok;
  },
};
