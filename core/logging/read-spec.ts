import { AgentError } from '../contract/index.js';

// An object with one attribute whose value is a string. It is applied to valid JSON, to find a duplicate attribute.
const ONE_ATTRIBUTE = /^\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*"(?:[^"\\]|\\.)*"\s*\}\s*$/;

/**
 * Reads the body of `PUT /logspec`.
 *
 * @throws AgentError `BODY_INVALID`
 */
export function readSpec(body: Buffer): string {
  const text = body.toString('utf8');
  if (text.trim() === '') throw invalid('the body is empty');
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    // The message of V8 differs between versions and quotes the input.
    throw invalid('the body is not valid JSON');
  }
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    throw invalid(`the body is ${typeName(document)}`);
  const { spec } = document as { spec?: unknown };
  if (spec === undefined) throw invalid(`the attribute "spec" is missing`);
  if (typeof spec !== 'string') throw invalid(`the attribute "spec" is ${typeName(spec)}`);
  const other = Object.keys(document).find((name) => name !== 'spec');
  if (other !== undefined) throw invalid(`unknown attribute ${JSON.stringify(other.slice(0, 100))}`);
  if (!ONE_ATTRIBUTE.test(text)) throw invalid('duplicate attribute "spec"');
  return spec;
}

function invalid(found: string): AgentError {
  return new AgentError(
    'BODY_INVALID',
    `expected a JSON object with one attribute, "spec", a string, such as {"spec":"info"}; ${found}`,
  );
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
