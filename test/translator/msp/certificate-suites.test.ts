// Certificates of public suites, with the recorded verdicts of Fabric's MSPs.

import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import test from 'ava';
import { concatBytes } from '../../../proto/concat-bytes.js';
import { TranslateError } from '../../../proto/errors.js';
import { setupMsp } from '../../../translator/msp/index.js';
import { bytesField, numberField } from '../../helpers/codec.js';

interface SuiteCase {
  readonly id: string;
  readonly roots: readonly string[];
  readonly intermediates: readonly string[];
  readonly crls: readonly string[];
  readonly leaf: string;
  readonly version: '1.4.3' | '3';
  readonly stage: 'setup' | 'identity' | 'validate' | 'valid';
  readonly text: string;
}

const CASES = JSON.parse(
  brotliDecompressSync(readFileSync('test/vectors/certificates/cases.json.br')).toString(),
) as readonly SuiteCase[];

const text = (number: number, value: string): Uint8Array => bytesField(number, Buffer.from(value));
const unit = (number: number, name: string): Uint8Array => bytesField(number, text(2, name));

/** The `msp.FabricMSPConfig` of a case. */
function mspConfig({ roots, intermediates, crls }: SuiteCase): Uint8Array {
  const units = [unit(2, 'client'), unit(3, 'peer'), unit(4, 'admin'), unit(5, 'orderer')];
  return concatBytes(
    text(1, 'M'),
    ...roots.map((pem) => text(2, pem)),
    ...intermediates.map((pem) => text(3, pem)),
    ...crls.map((pem) => text(5, pem)),
    bytesField(11, concatBytes(numberField(1, 1), ...units)),
  );
}

async function verdictOn(each: SuiteCase): Promise<Pick<SuiteCase, 'stage' | 'text'>> {
  const { msp, faults } = await setupMsp(mspConfig(each), each.version === '3' ? 'V3_0' : 'V1_4_3');
  if (msp === undefined) return { stage: 'setup', text: faults[0] };
  try {
    const { validationError } = await msp.identityOf(Buffer.from(each.leaf));
    return { stage: validationError === undefined ? 'valid' : 'validate', text: validationError ?? '' };
  } catch (error) {
    if (!(error instanceof TranslateError)) throw error;
    return { stage: 'identity', text: error.message };
  }
}

test('there are 124 certificates of public suites', (t) => {
  t.is(CASES.length, 124);
});

for (const each of CASES) {
  test(`the MSP judges ${each.id} as Fabric does: ${each.stage} ${each.text.slice(0, 150)}`, async (t) => {
    t.deepEqual(await verdictOn(each), { stage: each.stage, text: each.text });
  });
}
