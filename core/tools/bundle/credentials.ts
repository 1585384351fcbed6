// Finds secrets that are recognizable without a name: HTTP credentials, user names with passwords, tokens of known services, webhook URLs.

import { urlSecrets } from '../../common/text/value.js';
import type { Span } from '../../common/text/spans.js';
import { LineStrings } from './line-strings.js';

/** A form of a secret. Each pattern takes linear time: a match begins at the start of a word and covers everything that was read. */
interface Form {
  /** The group `secret` matches the secret; without the group, the whole match is the secret. */
  readonly pattern: RegExp;
  /** @param before the part of the match before the secret */
  readonly isSecret?: (secret: string, before: string) => boolean;
  /** Whether the secret extends to the end of the line, or of the string around it. */
  readonly takesRest?: boolean;
}

/** Words of ordinary text, as in `basic authentication`. */
const isWord = (text: string): boolean => /^[A-Z]?[a-z]+(?:[-/.][a-z]+)*\.?$/.test(text);

const FORMS: readonly Form[] = [
  // Credentials without the name of the header.
  { pattern: /(?<!\w)bearer(?:[ \t]{1,8}|%20)(?<secret>[\w+/=.~-]{8,})/dgi },
  {
    pattern: /(?<!\w)(?:basic|negotiate|ntlm|apikey)(?:[ \t]{1,8}|%20)(?<secret>[\w+/=.~-]{8,})/dgi,
    isSecret: (secret) => !isWord(secret),
  },
  // JSON Web Tokens, also encrypted ones, and parts of them.
  { pattern: /(?<![\w-])eyJ[\w-]{8,}(?:\.[\w-]+){0,4}/dg },
  // Slack, GitHub, GitLab, npm, AWS, Vault, Stripe and others, Google.
  {
    pattern:
      /(?<![\w-])(?:xox[a-z]-[\w-]{8,}|gh[a-z]_\w{16,}|github_pat_\w{16,}|gl[a-z]{2,4}-[\w-]{16,}|npm_\w{20,}|A[KS]IA[A-Z0-9]{16}|hv[sbr]\.[\w-]{16,}|s[kr][-_][\w-]{20,}|AIza[\w-]{30,})/dg,
  },
  // Password hashes, as in /etc/shadow and in the files of CouchDB.
  {
    pattern:
      /\$(?:[1-9y]|2[abxy]|apr1|argon2[a-z]{0,2}|scrypt)\$[^\s"',;]{8,}|-(?:pbkdf2|hashed)-[0-9a-f][^\s"']*/dg,
  },
  // The private part of a JSON Web Key.
  { pattern: /(?<![\w-])d\\{0,15}["'][ \t]{0,8}:[ \t]{0,8}\\{0,15}["'](?<secret>[\w-]{20,})/dg },
  // `admin:adminpw@host`, but not an image digest. {@link urlSecrets} finds URLs.
  { pattern: /(?<![^\s"'])[^\s"'@:]+:(?!\/\/)(?<secret>[^\s"']*)@(?!sha256:)(?=[\w[(.])/dg },
  // Arguments of curl and fabric-ca-client, but not numeric user ids and URLs.
  {
    pattern:
      /(?<![\w-])(?:-[bu]|--?(?:user|userpwd|enroll|proxy-user))(?:\\{0,15}["'`])?(?:[ \t]{1,8}|[ \t]{0,8}[=,][ \t]{0,8})(?:\\{0,15}["'`])?[^\s"'`:\\=]{1,200}:(?<secret>[^\s"'`\\]+)/dgi,
    isSecret: (secret) => !/^(?:\d+$|\/\/)/.test(secret),
    takesRest: true,
  },
  // Webhook URLs: the path is the secret.
  {
    pattern: /(?<![\w.-])[\w.-]+(?::\d{1,5})?\/(?<secret>[^\s"'`<>\\]+)/dg,
    isSecret: (path, host) =>
      (host.includes('.') && /hook|^api\.telegram\./i.test(host)) ||
      (/[.:]/.test(host) && /hook/i.test(path)),
  },
];

/** Finds credentials, in linear time. */
export const findCredentials = (text: string): Span[] => [
  ...urlSecrets(text),
  ...FORMS.flatMap((form) => spansOf(form, text)),
];

function spansOf({ pattern, isSecret = () => true, takesRest = false }: Form, text: string): Span[] {
  const strings = new LineStrings(text);
  const spans: Span[] = [];
  let taken = 0;
  for (const { indices, index } of text.matchAll(pattern)) {
    const [start, end] = indices?.groups?.['secret'] ?? indices?.[0] ?? [0, 0];
    if (start < taken || !isSecret(text.slice(start, end), text.slice(index, start))) continue;
    taken = takesRest ? strings.endOf(start) : end;
    spans.push([start, taken]);
  }
  return spans;
}
