// `rehearse`: config updates on a copy of their channel with new keys, with real nodes on this host.

import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { argumentList, defineCommand, flag, flagList, switchFlag } from '../command.js';
import { CommandError, UsageError } from '../errors.js';
import { jsonText, printText } from '../files.js';
import { BLOCK, NETWORK } from '../flags.js';
import type { Io } from '../io.js';
import { text } from '../kinds.js';
import { networkOfProfile } from '../profile.js';

/** The command. */
export const rehearse = defineCommand({
  name: 'rehearse',
  help: 'Rehearses config updates: makes a copy of the channel with new keys on 127.0.0.1, with real nodes, submits the updates there, one after the other, and reports what stops: at once, while one orderer is stopped, and after a restart of all nodes. Exit status: 0 nothing is lost, 4 something is lost, 2 orderers refuse an update, 3 the channel or an update cannot be copied, or no orderer of the copy serves the channel, 1 on any other error.',
  example: 'rehearse update.pb --block config_block.pb --programs bin',
  flags: {
    block: BLOCK,
    programs: flag(
      text,
      "The directory with Fabric's programs orderer and peer; by default the first one in PATH that has an orderer.",
    ),
    fabric: flag(text, 'The version that the programs must have, for example 3.1.5; by default any.'),
    down: flagList(
      text,
      'The address HOST:PORT of a consenter that is down, and stays down in the copy. May be repeated.',
    ),
    keep: flag(
      text,
      'An empty or new directory for the files and the logs of the nodes; by default they are removed at the end.',
    ),
    json: switchFlag('Print everything as JSON.'),
    network: NETWORK,
  },
  arguments: {
    file: argumentList(
      text,
      'An envelope with a config update, or the config update itself; serialized or as JSON. Several follow each other. A signed one has the signatures of the same identities in the copy, an unsigned one those of all who may sign.',
    ),
  },
  async run({ file: paths, network, json, down, programs, fabric, keep, ...values }, io) {
    const { readUpdateFile } = await import('../../channel/index.js');
    const { readChannelInput, readConfigInput } = await import('../inputs.js');
    const block = values.block ?? (await networkOfProfile(network, 'block'));
    const updates = [];
    for (const path of paths)
      updates.push({ name: path, update: await readChannelInput(path, network, io, readUpdateFile) });
    const config = await readConfigInput(block, network, io);
    const {
      EXIT_STATUS_OF,
      outcomeOf,
      rehearsalDocument,
      rehearsalJson,
      rehearse: run,
    } = await import('../../rehearse/index.js');
    const { documentText } = await import('../../documents/index.js');
    // The first signal ends the rehearsal and its nodes, the second one the process; the nodes end with it.
    const controller = new AbortController();
    io.onStop(() => controller.abort(new CommandError('interrupted')));
    const progress = progressOf(io);
    try {
      const result = await run(updates, config, {
        programs: programs ?? programsIn(io),
        fabric,
        down,
        keep,
        signal: controller.signal,
        onProgress: progress.step,
      });
      progress.end();
      printText(
        json ? jsonText(rehearsalJson(result)) : documentText(rehearsalDocument(result), io.display),
        io,
      );
      return EXIT_STATUS_OF[outcomeOf(result)];
    } catch (error) {
      progress.end();
      throw error;
    }
  },
});

/** The first directory of PATH with a program `orderer`. @throws UsageError */
function programsIn({ searchPath = '' }: Io): string {
  const found = searchPath.split(delimiter).find((each) => each !== '' && existsSync(join(each, 'orderer')));
  if (found !== undefined) return found;
  throw new UsageError("--programs is missing, and no directory in PATH has Fabric's program orderer");
}

/** Clears a line of a terminal. */
const CLEAR = '\r\u001b[K';

/** Progress on standard error: one line on a terminal, elsewhere a line for each step. */
function progressOf(process: Io): { readonly step: (text: string) => void; readonly end: () => void } {
  if (!process.isErrorTerminal) return { step: (step) => process.error(`${step}\n`), end: () => {} };
  return { step: (step) => process.error(`${CLEAR}${step} …`), end: () => process.error(CLEAR) };
}
