// Inputs that found a fault in the past: small JSON files that every test run checks.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Input } from './target.js';

const CORPUS = 'test/fuzz/corpus';

/** The inputs by file name. */
export function readCorpus(): readonly (readonly [file: string, input: Input])[] {
  if (!existsSync(CORPUS)) return [];
  return readdirSync(CORPUS)
    .filter((file) => file.endsWith('.json'))
    .map((file) => {
      const { bytes, ...rest } = JSON.parse(readFileSync(join(CORPUS, file), 'utf8')) as Input & {
        bytes: string;
      };
      return [file, { ...rest, bytes: Buffer.from(bytes, 'base64') }] as const;
    });
}

/** Saves an input and returns its file. */
export function keep({ target, type, bytes }: Input): string {
  const hash = createHash('sha256').update(type).update(bytes).digest('hex').slice(0, 8);
  const file = join(CORPUS, `${target}-${hash}.json`);
  mkdirSync(CORPUS, { recursive: true });
  writeFileSync(file, `${JSON.stringify({ target, type, bytes: bytes.toString('base64') })}\n`);
  return file;
}
