// Reads certificates in PEM, each once: an MSP names its CA several times, and the configs of a channel share most certificates. What was
// verified of a certificate is kept with it.

import { readCertificate, type Certificate } from './certificate.js';
import { attempt } from '../../proto/attempt.js';
import { decodePem } from '../../core/common/certificates/pem.js';

/** How many certificates are kept, and how large one of them may be. */
const KEPT = 2000;
const MAX_SIZE = 8192;

const KEY = new TextDecoder('latin1');
const known = new Map<string, Certificate>();

/** The certificate in PEM; undefined if the bytes are not PEM. @throws TranslateError with Go's text */
export function readPemCertificate(pem: Uint8Array): Certificate | undefined {
  if (pem.length > MAX_SIZE) return read(pem);
  const key = KEY.decode(pem);
  const found = known.get(key) ?? read(pem);
  if (found === undefined) return undefined;
  // The one that was used longest ago is first.
  known.delete(key);
  known.set(key, found);
  if (known.size > KEPT) known.delete(known.keys().next().value!);
  return found;
}

/** The certificate in PEM; undefined if it cannot be read. */
export function certificateIn(pem: Uint8Array): Certificate | undefined {
  return attempt(
    () => readPemCertificate(pem),
    () => undefined,
  );
}

function read(pem: Uint8Array): Certificate | undefined {
  const block = decodePem(pem);
  return block === undefined ? undefined : readCertificate(block.bytes);
}
