// `version`: shows the build of the program.

import { readBuildInfo } from '../../../../core/common/files/build-info.js';
import type { Context } from '../../context.js';
import { printText } from '../../output.js';
import type { Values } from '../../values.js';

/** Go's names of architectures and operating systems where Node.js uses others. */
const ARCH: ReadonlyMap<string, string> = new Map([
  ['x64', 'amd64'],
  ['ia32', '386'],
]);
const PLATFORM: ReadonlyMap<string, string> = new Map([['win32', 'windows']]);

/** @throws CommandError */
export function run(_values: Values, { process }: Context): void {
  const { version, commit } = readBuildInfo();
  const { version: node, platform, arch } = process.runtime;
  const lines = [
    'configtxlator:',
    ` Version: ${version}`,
    ` Commit SHA: ${commit}`,
    ` Node version: ${node}`,
    ` OS/Arch: ${PLATFORM.get(platform) ?? platform}/${ARCH.get(arch) ?? arch}`,
  ];
  printText(`${lines.join('\n')}\n`, process);
}
