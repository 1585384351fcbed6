// Decoding and encoding of blocks compared with JSON of the same size, and their growth; then updates, HTTP and processes.

import { DEFAULT_MAX_BODY } from '../../translator/http/limits.js';
import { decode, encode } from '../../translator/index.js';
import { benchEdit } from './edit.js';
import { benchLedger } from './ledger.js';
import type { Part } from './parts.js';
import { median, row, type Row } from './report.js';
import { benchTranslatorHttp } from './translator-http.js';
import { readInputs, sizeOf, type Inputs } from './translator-inputs.js';
import { benchReview } from './review.js';
import { comparisons } from './translator-other.js';
import { benchTranslatorProcess } from './translator-process.js';
import { benchTranslatorWorkers } from './translator-workers.js';
import { benchUpdate } from './update.js';

const TYPE = 'common.Block';
/** The bounds of `configtxlator start` without flags. */
const BOUNDS = { maxOutput: 4 * DEFAULT_MAX_BODY };
/** Duration of the warm-up and of the measurement, in milliseconds. */
const WARM_UP = 2000;
const MEASURED = 3000;

/** The measurements of the translator. */
export function translatorPart(): Part {
  const inputs = readInputs();
  return {
    'decode and encode': () => benchCodec(inputs),
    'update of two configs': () => benchUpdate((config) => decode('common.Config', config)),
    'configtxlator over HTTP': () => benchTranslatorHttp(inputs.small),
    'configtxlator with two workers': () => benchTranslatorWorkers(inputs.small),
    'configtxlator as a process': () => benchTranslatorProcess(inputs.small),
    'configtxlator edit': () => benchEdit(inputs.small),
    'configtxlator review': benchReview,
    'configtxlator log': benchLedger,
    ...comparisons(process.env.CONFIGTXLATOR, [inputs.small, inputs.medium, inputs.large]),
  };
}

function benchCodec({ small, medium, large, bySizeOfJson }: Inputs): Row[] {
  const rows = [small, medium, ...bySizeOfJson].map((block) => compareWithJson(block));
  return [...rows.flat(), ...growth(medium, large)];
}

function timed(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/** Repeats a function for a time, in milliseconds. */
function repeat<T>(work: () => T, milliseconds: number): T[] {
  const results: T[] = [];
  for (const end = performance.now() + milliseconds; performance.now() < end;) results.push(work());
  return results;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Compares decoding with writing the same JSON, and encoding with decoding and parsing its UTF-8 text, alternately. */
function compareWithJson(block: Buffer): Row[] {
  const json = decode(TYPE, block);
  const bytes = Buffer.from(json);
  const tree: unknown = JSON.parse(json);
  const round = () => ({
    // As bytes, because V8 concatenates strings lazily.
    decoded: timed(() => Buffer.from(decode(TYPE, block))),
    written: timed(() => Buffer.from(JSON.stringify(tree, null, '\t'))),
    encoded: timed(() => encode(TYPE, bytes, BOUNDS)),
    parsed: timed(() => JSON.parse(UTF8.decode(bytes)) as unknown),
  });
  repeat(round, WARM_UP);
  const rounds = repeat(round, MEASURED);
  const decodeTime = median(rounds.map(({ decoded }) => decoded));
  const encodeTime = median(rounds.map(({ encoded }) => encoded));
  return [
    row(
      `decode of a block of ${sizeOf(block)}, against JSON.stringify with tabs`,
      median(rounds.map(({ decoded, written }) => decoded / written)),
      '<=',
      2.5,
      `${decodeTime.toFixed(2)} ms`,
    ),
    row(
      `encode of its JSON of ${sizeOf(bytes)}, with the bounds of the service, against JSON.parse of the UTF-8 text`,
      median(rounds.map(({ encoded, parsed }) => encoded / parsed)),
      '<=',
      2.2,
      `${encodeTime.toFixed(2)} ms`,
    ),
  ];
}

/** Time per byte of a large block compared with a medium one. */
function growth(medium: Buffer, large: Buffer): Row[] {
  const operations = [
    ['decode', (block: Buffer) => () => decode(TYPE, block)],
    [
      'encode',
      (block: Buffer) => {
        const json = Buffer.from(decode(TYPE, block));
        return () => encode(TYPE, json, BOUNDS);
      },
    ],
  ] as const;
  return operations.map(([name, prepare]) => {
    const [small, big] = [medium, large].map((block) => {
      const work = prepare(block);
      return median(repeat(() => timed(work), MEASURED)) / block.length;
    }) as [number, number];
    const what = `${name} of a block of ${sizeOf(large)}, time per MB against ${sizeOf(medium)}`;
    return row(what, big / small, '<=', 12, `${(big * 1_000_000).toFixed(0)} ms for each MB`);
  });
}
