/** From this power of ten on, Go writes an exponent. */
const EXPONENT_FROM = 6;
/** Below this power of ten, Go writes an exponent. */
const EXPONENT_BELOW = -4;

/** Writes a number as a Go program writes a bound or a quantile: `1e+06`, `1e-05`, `+Inf`. */
export function goNumber(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : value < 0 ? '-Inf' : 'NaN';
  const [digits = '', power = ''] = value.toExponential().split('e');
  const exponent = Number(power);
  if (value === 0 || (exponent >= EXPONENT_BELOW && exponent < EXPONENT_FROM)) return String(value);
  return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}
