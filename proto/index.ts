// The library face of the proto core: bytes to JSON text, JSON text to bytes, and the names of the messages.

export { TranslateError, type TranslateErrorCode } from './errors.js';

export function decode(_type: string, _bytes: Uint8Array): string {
  throw new Error('not written yet');
}
export function encode(_type: string, _json: string | Uint8Array): Uint8Array {
  throw new Error('not written yet');
}
export function messageNames(): readonly string[] {
  throw new Error('not written yet');
}
