import { AgentError, type NodeResponse } from '../contract/index.js';

/** Largest JSON document of a node that is parsed, in bytes. */
const MAX_SIZE = 1024 * 1024;

/**
 * Reads a string member of the JSON object in a response.
 *
 * @returns undefined if there is no such string
 */
export function stringMember({ body }: NodeResponse, name: string): string | undefined {
  if (body.length > MAX_SIZE) return undefined;
  try {
    const document: unknown = JSON.parse(body.toString('utf8'));
    if (typeof document !== 'object' || document === null || !Object.hasOwn(document, name)) return undefined;
    const value = (document as Readonly<Record<string, unknown>>)[name];
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The error for a response that is not what the agent expects of a node: `NODE_REFUSED` for 4xx, else `NODE_RESPONSE_INVALID`. */
export function unexpectedResponse(node: string, path: string, response: NodeResponse): AgentError {
  const { status } = response;
  const reason = status === 200 ? undefined : stringMember(response, 'error');
  const found = status === 200 ? 'an invalid document' : `status ${status}`;
  return new AgentError(
    status >= 400 && status <= 499 ? 'NODE_REFUSED' : 'NODE_RESPONSE_INVALID',
    `node ${node} responded to ${path} with ${found}${reason === undefined ? '' : `: ${reason}`}`,
  );
}
