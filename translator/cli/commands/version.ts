// `version`: shows the build of the program.

import { readBuildInfo } from '../../../core/common/files/build-info.js';
import { defineCommand } from '../command.js';
import { printText } from '../files.js';

/** Go's names of architectures and operating systems that Node.js names differently. */
const ARCH: ReadonlyMap<string, string> = new Map([
  ['x64', 'amd64'],
  ['ia32', '386'],
]);
const PLATFORM: ReadonlyMap<string, string> = new Map([['win32', 'windows']]);

/** The command. */
export const version = defineCommand({
  name: 'version',
  help: 'Show the version.',
  example: 'version',
  run(_values, io) {
    const build = readBuildInfo();
    const { version: node, platform, arch } = io.runtime;
    const lines = [
      'configtxlator:',
      ` Version: ${build.version}`,
      ` Commit SHA: ${build.commit}`,
      ` Node version: ${node}`,
      ` OS/Arch: ${PLATFORM.get(platform) ?? platform}/${ARCH.get(arch) ?? arch}`,
    ];
    printText(`${lines.join('\n')}\n`, io);
  },
});
