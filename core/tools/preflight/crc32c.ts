// CRC-32C (Castagnoli), the checksum of LevelDB and of etcd's write-ahead logs and snapshots.

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? (crc >>> 1) ^ 0x82f6_3b78 : crc >>> 1;
  return crc;
});

/** The checksum of bytes that follow bytes with the checksum `before`. */
export function crc32c(bytes: Uint8Array, before = 0): number {
  let crc = ~before;
  for (let at = 0; at < bytes.length; at++) crc = TABLE[(crc ^ bytes[at]!) & 255]! ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** The checksum in the files of LevelDB. */
export function maskedCrc32c(bytes: Uint8Array): number {
  const crc = crc32c(bytes);
  return (((crc >>> 15) | (crc << 17)) + 0xa282_ead8) >>> 0;
}
