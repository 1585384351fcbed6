// Certificates and signatures of public suites, with the recorded verdicts of Fabric's MSPs.

import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import test from 'ava';
import { concatBytes } from '../../../proto/bytes.js';
import { TranslateError } from '../../../proto/errors.js';
import { rulesOf, setupMsp, verifySignature, type Msp } from '../../../translator/msp/index.js';
import { bytesField, numberField } from '../../helpers/codec.js';

interface Verdict {
  readonly stage: 'setup' | 'identity' | 'validate' | 'valid';
  readonly text: string;
}

interface SuiteCase {
  readonly id: string;
  readonly roots: readonly string[];
  readonly intermediates?: readonly string[];
  readonly crls?: readonly string[];
  readonly leaf: string;
  readonly version: '1.4.3' | '3';
}

const read = (name: string): unknown =>
  JSON.parse(brotliDecompressSync(readFileSync(`test/vectors/certificates/${name}.json.br`)).toString());

const CASES = read('cases') as readonly (SuiteCase & {
  readonly verdicts: Readonly<Record<string, Verdict>>;
})[];
const SIGNERS = read('signatures') as readonly (SuiteCase & {
  readonly signatures: readonly {
    readonly what: string;
    readonly message: string;
    readonly signature: string;
    readonly text: string;
  }[];
})[];

const text = (number: number, value: string): Uint8Array => bytesField(number, Buffer.from(value));
const unit = (number: number, name: string): Uint8Array => bytesField(number, text(2, name));

/** The `msp.FabricMSPConfig` of a case. */
function mspConfig({ roots, intermediates = [], crls = [] }: SuiteCase): Uint8Array {
  const units = [unit(2, 'client'), unit(3, 'peer'), unit(4, 'admin'), unit(5, 'orderer')];
  return concatBytes(
    text(1, 'M'),
    ...roots.map((pem) => text(2, pem)),
    ...intermediates.map((pem) => text(3, pem)),
    ...crls.map((pem) => text(5, pem)),
    bytesField(11, concatBytes(numberField(1, 1), ...units)),
  );
}

/** The MSP of a case, or the first fault of its set-up. */
async function setUp(each: SuiteCase, fabric: string): Promise<Msp | string> {
  const [program] = rulesOf([fabric]);
  const { msp, faults } = await setupMsp(mspConfig(each), each.version === '3' ? 'V3_0' : 'V1_4_3', program);
  return msp ?? faults[0];
}

async function verdictOn(each: SuiteCase, fabric: string): Promise<Verdict> {
  const msp = await setUp(each, fabric);
  if (typeof msp === 'string') return { stage: 'setup', text: msp };
  try {
    const { validationError } = await msp.identityOf(Buffer.from(each.leaf));
    return { stage: validationError === undefined ? 'valid' : 'validate', text: validationError ?? '' };
  } catch (error) {
    if (!(error instanceof TranslateError)) throw error;
    return { stage: 'identity', text: error.message };
  }
}

test('there are 138 certificates, and 23 signatures of 5 keys', (t) => {
  t.is(CASES.length, 138);
  t.deepEqual([SIGNERS.length, SIGNERS.flatMap(({ signatures }) => signatures).length], [5, 23]);
});

for (const each of CASES)
  for (const [fabric, verdict] of Object.entries(each.verdicts))
    test(`the MSP judges ${each.id} as Fabric ${fabric} does: ${verdict.stage} ${verdict.text.slice(0, 150)}`, async (t) => {
      t.deepEqual(await verdictOn(each, fabric), verdict);
    });

for (const each of SIGNERS)
  for (const { what, message, signature, text: expected } of each.signatures)
    test(`a signature of ${each.id}, ${what}: ${expected.slice(0, 200)}`, async (t) => {
      const msp = (await setUp(each, '3.0.0')) as Msp;
      const identity = await msp.identityOf(Buffer.from(each.leaf));
      const found = await verifySignature(
        identity,
        Buffer.from(message, 'hex'),
        Buffer.from(signature, 'hex'),
      );
      t.is(found ?? 'ok', expected);
    });
