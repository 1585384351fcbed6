// Build step: runs commands of `configtxlator`, and writes what V8 compiled in them beside the files of the program, for translator/launch.ts.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';
import { largeChannel } from '../helpers/large-channel.js';

const SELF = fileURLToPath(import.meta.url);
const PROGRAM = fileURLToPath(new URL('../../configtxlator/main.cjs', import.meta.url));

const RUNS = [
  'proto_decode --type common.Config --input config.pb --output config.json',
  'proto_encode --type common.Config --input config.json --output again.pb',
  'edit config.pb --channel_id large --set orderer.batchSize.maxMessageCount=50 --output edited.pb',
  'show config.pb',
  'review update.pb --block config.pb',
  'verify update.pb --block config.pb',
];

if (process.argv[1] === SELF) precompile();
else record();

function precompile(): void {
  const directory = mkdtempSync(join(tmpdir(), 'precompile-'));
  try {
    const { config, envelope } = largeChannel(3, 3);
    writeFileSync(join(directory, 'config.pb'), config);
    writeFileSync(join(directory, 'update.pb'), envelope);
    for (const run of RUNS) {
      const args = ['--import', import.meta.url, PROGRAM, ...run.split(' ')];
      const { stderr } = spawnSync(process.execPath, args, { cwd: directory, encoding: 'utf8' });
      if (stderr.includes('error:')) throw new Error(`configtxlator ${run}: ${stderr}`);
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Runs in the program before it starts: remembers its scripts, and writes their code when it ends. */
function record(): void {
  const scripts: (readonly [file: string, script: vm.Script])[] = [];
  vm.Script = class extends vm.Script {
    constructor(code: string, options: vm.ScriptOptions) {
      super(code, options);
      scripts.push([`${options.filename}.compiled`, this]);
    }
  };
  process.on('exit', () => {
    for (const [file, script] of scripts) writeFileSync(file, script.createCachedData());
  });
}
