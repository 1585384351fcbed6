// Formats times in Go's layouts, which are written as the reference time `Mon Jan 2 15:04:05 MST 2006`.

type Formatter = (time: Date) => string;

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

const two = (value: number): string => String(value).padStart(2, '0');
const hour12 = (time: Date): number => time.getHours() % 12 || 12;

const PARTS: ReadonlyMap<string, Formatter> = new Map<string, Formatter>([
  ['January', (time) => MONTHS[time.getMonth()] ?? ''],
  ['Jan', (time) => (MONTHS[time.getMonth()] ?? '').slice(0, 3)],
  ['Monday', (time) => DAYS[time.getDay()] ?? ''],
  ['Mon', (time) => (DAYS[time.getDay()] ?? '').slice(0, 3)],
  ['MST', zoneName],
  ['2006', (time) => String(time.getFullYear()).padStart(4, '0')],
  ['06', (time) => two(time.getFullYear() % 100)],
  ['01', (time) => two(time.getMonth() + 1)],
  ['1', (time) => String(time.getMonth() + 1)],
  ['002', (time) => String(dayOfYear(time)).padStart(3, '0')],
  ['__2', (time) => String(dayOfYear(time)).padStart(3, ' ')],
  ['02', (time) => two(time.getDate())],
  ['_2', (time) => String(time.getDate()).padStart(2, ' ')],
  ['2', (time) => String(time.getDate())],
  ['15', (time) => two(time.getHours())],
  ['03', (time) => two(hour12(time))],
  ['3', (time) => String(hour12(time))],
  ['04', (time) => two(time.getMinutes())],
  ['4', (time) => String(time.getMinutes())],
  ['05', (time) => two(time.getSeconds())],
  ['5', (time) => String(time.getSeconds())],
  ['PM', (time) => (time.getHours() < 12 ? 'AM' : 'PM')],
  ['pm', (time) => (time.getHours() < 12 ? 'am' : 'pm')],
  ['Z07:00', (time) => (time.getTimezoneOffset() === 0 ? 'Z' : offset(time, ':'))],
  ['Z0700', (time) => (time.getTimezoneOffset() === 0 ? 'Z' : offset(time, ''))],
  ['Z07', (time) => (time.getTimezoneOffset() === 0 ? 'Z' : offset(time, '').slice(0, 3))],
  ['-07:00', (time) => offset(time, ':')],
  ['-0700', (time) => offset(time, '')],
  ['-07', (time) => offset(time, '').slice(0, 3)],
]);

// Longer elements first, so that 2006 does not match as 2. As in Go, a fraction is not followed by a digit, and Jan and Mon are not
// followed by a letter.
const NAMES = [...PARTS.keys()].sort((a, b) => b.length - a.length);
const TOKEN = new RegExp(
  `[.,](?:0+|9+)(?!\\d)|${NAMES.map((name) => (/^(?:Jan|Mon)$/.test(name) ? `${name}(?![a-z])` : name)).join('|')}`,
  'g',
);

/** Compiles a layout. The function formats milliseconds since the epoch in the local time zone. */
export function compileLayout(layout: string): (milliseconds: number) => string {
  const parts: (string | Formatter)[] = [];
  let end = 0;
  for (const { 0: token, index } of layout.matchAll(TOKEN)) {
    parts.push(layout.slice(end, index), PARTS.get(token) ?? fraction(token));
    end = index + token.length;
  }
  parts.push(layout.slice(end));
  return (milliseconds) => {
    const time = new Date(milliseconds);
    return parts.map((part) => (typeof part === 'string' ? part : part(time))).join('');
  };
}

/** `.000` keeps trailing zeros; `.999` drops them, and the dot if no digit is left. */
function fraction(token: string): Formatter {
  const digits = token.length - 1;
  const all = (time: Date): string =>
    String(time.getMilliseconds()).padStart(3, '0').padEnd(digits, '0').slice(0, digits);
  if (token[1] === '0') return (time) => `${token[0] ?? ''}${all(time)}`;
  return (time) => {
    const kept = all(time).replace(/0+$/, '');
    return kept === '' ? '' : `${token[0] ?? ''}${kept}`;
  };
}

function dayOfYear(time: Date): number {
  const day = Date.UTC(time.getFullYear(), time.getMonth(), time.getDate());
  return (day - Date.UTC(time.getFullYear(), 0, 0)) / 86_400_000;
}

function offset(time: Date, separator: string): string {
  const minutes = -time.getTimezoneOffset();
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}${separator}${two(size % 60)}`;
}

const zoneNames = new Map<number, string>();

function zoneName(time: Date): string {
  const key = time.getTimezoneOffset();
  let name = zoneNames.get(key);
  if (name === undefined) {
    const parts = new Intl.DateTimeFormat('en-US', { timeZoneName: 'short' }).formatToParts(time);
    name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'UTC';
    zoneNames.set(key, name);
  }
  return name;
}
