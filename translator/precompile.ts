// Build step: runs commands of `configtxlator` on the channel of precompile-sample.json, and writes V8's code cache next to the
// program, for launch.ts.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';

const SELF = fileURLToPath(import.meta.url);
const PROGRAM = fileURLToPath(new URL('../configtxlator/main.cjs', import.meta.url));
/** A channel of one organisation with made-up certificates, and a signed update of its MSP, as JSON. */
const SAMPLE = fileURLToPath(new URL('../../translator/precompile-sample.json', import.meta.url));

const RUNS = [
  'proto_encode --type common.Envelope --input update.json --output update.pb',
  'proto_encode --type common.Config --input config.json --output config.pb',
  'proto_decode --type common.Config --input config.pb --output again.json',
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
    const sample = JSON.parse(readFileSync(SAMPLE, 'utf8')) as Readonly<Record<string, unknown>>;
    for (const [name, message] of Object.entries(sample))
      writeFileSync(join(directory, `${name}.json`), JSON.stringify(message));
    // Each run loads the code cache of the previous ones and extends it.
    for (const run of RUNS) {
      const args = ['--import', import.meta.url, PROGRAM, ...run.split(' ')];
      const { stderr } = spawnSync(process.execPath, args, { cwd: directory, encoding: 'utf8' });
      if (stderr.includes('error:')) throw new Error(`configtxlator ${run}: ${stderr}`);
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Runs in the program before it starts: remembers its script, and writes the code cache at the end. */
function record(): void {
  vm.Script = class extends vm.Script {
    constructor(code: string, options: vm.ScriptOptions) {
      super(code, options);
      process.on('exit', () =>
        writeFileSync(`${String(options.filename)}.compiled`, this.createCachedData()),
      );
    }
  };
}
