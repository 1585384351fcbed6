// Stands in for the computation of configuration updates until it is merged.

/** Not there yet. */
export function computeUpdate(_original: Uint8Array, _updated: Uint8Array, _channelId: string): Uint8Array {
  throw new Error('not written yet');
}
