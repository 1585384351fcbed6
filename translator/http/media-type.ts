// The `Content-Type` of a form: Go's rules for it, and its texts where a form has none.

import { FormError } from './form-error.js';

const TYPE = /^\s*multipart\/form-data\s*(?=;|$)/i;
const PARAMETER = /;\s*([!#$%&'*+\-.^_`|~\w]+)\s*=\s*(?:"((?:[^"\\\r\n]|\\.)*)"|([!#$%&'*+\-.^_`|~\w]+))\s*/y;

/**
 * The boundary between the parts of a form.
 *
 * @throws FormError where the type is another one, broken, or has no boundary
 */
export function boundaryOf(contentType = ''): string {
  const type = TYPE.exec(contentType);
  const parameters = type === null ? undefined : readParameters(contentType, type[0].length);
  if (parameters === undefined) throw new FormError("request Content-Type isn't multipart/form-data");
  const boundary = parameters.get('boundary');
  if (boundary === undefined) throw new FormError('no multipart boundary param in Content-Type');
  return boundary;
}

/** Parameters by name in lower case; undefined where they are broken or one is there twice. */
function readParameters(text: string, start: number): ReadonlyMap<string, string> | undefined {
  const parameters = new Map<string, string>();
  let end = start;
  PARAMETER.lastIndex = end;
  for (let match = PARAMETER.exec(text); match !== null; match = PARAMETER.exec(text)) {
    const [, name = '', quoted, token = ''] = match;
    if (parameters.has(name.toLowerCase())) return undefined;
    parameters.set(name.toLowerCase(), quoted?.replace(/\\(["\\])/g, '$1') ?? token);
    end = PARAMETER.lastIndex;
  }
  return /^\s*;?\s*$/.test(text.slice(end)) ? parameters : undefined;
}
