// SHA-3 (FIPS 202), which WebCrypto does not have: Fabric allows it for the identifiers of identities.

const ROUNDS = 24;
const LANES = 25;
const MASK = (1n << 64n) - 1n;
const STATE_SIZE = 200;

/** The SHA3-256 or SHA3-384 of some bytes. */
export function sha3(bits: 256 | 384, bytes: Uint8Array): Uint8Array {
  const rate = STATE_SIZE - bits / 4;
  const padded = new Uint8Array(Math.ceil((bytes.length + 1) / rate) * rate);
  padded.set(bytes);
  padded[bytes.length] = 0x06;
  padded[padded.length - 1]! |= 0x80;
  const state = Array.from({ length: LANES }, () => 0n);
  for (let block = 0; block < padded.length; block += rate) {
    const view = new DataView(padded.buffer, block, rate);
    for (let lane = 0; lane < rate / 8; lane++) state[lane]! ^= view.getBigUint64(lane * 8, true);
    permute(state);
  }
  const result = new DataView(new ArrayBuffer(STATE_SIZE));
  for (const [lane, value] of state.entries()) result.setBigUint64(lane * 8, value, true);
  return new Uint8Array(result.buffer, 0, bits / 8);
}

function rotate(value: bigint, count: number): bigint {
  return count === 0 ? value : ((value << BigInt(count)) | (value >> BigInt(64 - count))) & MASK;
}

/** Keccak-f[1600]. */
function permute(state: bigint[]): void {
  let register = 1;
  for (let round = 0; round < ROUNDS; round++) {
    theta(state);
    chi(state, rotateAndMove(state));
    // The round constants are the output of a linear-feedback shift register.
    for (let power = 0; power < 7; power++) {
      if ((register & 1) !== 0) state[0]! ^= 1n << ((1n << BigInt(power)) - 1n);
      register = (register << 1) ^ ((register >> 7) * 0x171);
    }
  }
}

function theta(state: bigint[]): void {
  const columns = [0, 1, 2, 3, 4].map((x) =>
    [0, 5, 10, 15, 20].reduce((parity, row) => parity ^ state[row + x]!, 0n),
  );
  for (let lane = 0; lane < LANES; lane++) {
    const x = lane % 5;
    state[lane]! ^= columns[(x + 4) % 5]! ^ rotate(columns[(x + 1) % 5]!, 1);
  }
}

/** The steps rho and pi. */
function rotateAndMove(state: readonly bigint[]): readonly bigint[] {
  const moved = [...state];
  let [x, y] = [1, 0];
  for (let step = 0; step < ROUNDS; step++) {
    const from = x + 5 * y;
    [x, y] = [y, (2 * x + 3 * y) % 5];
    moved[x + 5 * y] = rotate(state[from]!, (((step + 1) * (step + 2)) / 2) % 64);
  }
  return moved;
}

function chi(state: bigint[], from: readonly bigint[]): void {
  for (let row = 0; row < LANES; row += 5)
    for (let x = 0; x < 5; x++)
      state[row + x] = from[row + x]! ^ (~from[row + ((x + 1) % 5)]! & MASK & from[row + ((x + 2) % 5)]!);
}
