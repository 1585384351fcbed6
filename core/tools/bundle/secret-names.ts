// Recognizes the names of secrets: settings, variables, flags, headers and keys of JSON.

/** Anywhere in a name. */
const WORDS =
  /passw(?:or)?d|pass[_ -]?(?:phrase|code|key)|secret|token|credential|(?:api|access|account|private|signing|encryption|shared)[_ -]?key|authorization|cookie|session[_-]?id|auth[_-]?session|connection[_-]?string/i;
/** As a complete part of a name: `db_pass`, `PKCS11.Pin`, `PIN`. */
const PARTS = /(?:^|[^a-z])(?:pass|pwd|pw|pin|psk|otp|jwt|dsn|auth|sig|creds?)(?![a-z])/i;
/** The same in a name of several words without separators: `userPwd`, `pinCode`. */
const CAMEL =
  /(?:^|[^A-Za-z])(?:pass|pwd|pin|psk|otp|jwt|creds?)(?=[A-Z][a-z])|[a-z0-9](?:Pass|Pwd|Pw|Pin|Psk|Otp|Jwt|Dsn|Auth|Sig|Creds?)(?![a-z])/;
/** Names of files and of flags without a value. */
const WITHOUT_SECRET = /(?:file|path|dir|directory|folder)s?$|stdin$/i;

/** Whether a name is the name of a secret. Takes linear time. */
export const isSecretName = (name: string): boolean =>
  (WORDS.test(name) || PARTS.test(name) || CAMEL.test(name)) && !WITHOUT_SECRET.test(name);

/** Whether a value is the path of a key file, as in `privateKey: tls/server.key`, and not a secret. */
export const isKeyFile = (name: string, value: string): boolean =>
  /key$/i.test(name) && /^["']?(?:\.{0,2}\/|[A-Za-z]:\\|[\w./-]+\.(?:key|pem)\b)/.test(value);
