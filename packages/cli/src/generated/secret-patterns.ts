// Made by `npm run clients` from libs/domain/src/secret-patterns.ts. Do not edit.

/** Replaces a secret. */
export const SECRET_MASK = '********';

const SECRET_NAME =
  /pass(word|wd|phrase)?$|password|secret|token|credential|private[._-]?key|api[._-]?key|access[._-]?key|(^|[._-])key$|authorization|cookie/i;
/** Names that look like names of secrets but have other values: paths of files, lengths, switches. */
const NO_SECRET_NAME = /(file|path|dir|enabled|length|size|limit|ttl|seconds|version|id)$/i;

/**
 * Whether a setting with this name contains a secret, as far as the name shows. The last part of a dotted name counts
 * most.
 */
export const isSecretName = (name: string): boolean => SECRET_NAME.test(name) && !NO_SECRET_NAME.test(name);

// Every repetition before a required match is bounded: other programs print the lines, with any length.
const PEM = /-----BEGIN [A-Z0-9 ]{0,40}(?:PRIVATE KEY|CERTIFICATE)-----[\s\S]*?(?:-----END [A-Z0-9 ]{1,60}-----|$)/g;
const URL_USER = /\b([a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/:@"'<>]{0,200}:[^\s/"'<>]{0,500}@/gi;
const BEARER = /\b(bearer|basic)(\s{1,8})[A-Za-z0-9._~+/-]{6,}=*/gi;
const OWN_KEY = /\bld_[A-Za-z0-9_-]{8,}/g;
const SUPERVISOR_TOKEN = /\blds_[A-Za-z0-9_.-]{8,}/g;
const AWS_KEY = /\b(?:AKIA|ASIA|AGPA|AIDA|AROA)[A-Z0-9]{16}\b/g;
const JWT = /\beyJ[A-Za-z0-9_-]{8,2000}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g;
const VENDOR_KEY =
  /\b(?:gh[pousr]_[A-Za-z0-9]{20,}|xox[abprs]-[A-Za-z0-9-]{10,}|sk-[A-Za-z0-9_-]{20,}|AIza[A-Za-z0-9_-]{30,})/g;
/** `password=…`, `"api_key": "…"`, `secret: …`: the value up to the end of the word or of the quotes. */
const NAMED =
  /((?:password|passwd|passphrase|secret|token|credential|api[._-]?key|access[._-]?key|private[._-]?key|authorization)[\w.-]{0,40}["']?\s{0,8}[=:]\s{0,8})("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|["']?[^\s,;&}\])"']+)/gi;

/** Masks everything that looks like a secret in a text of unknown origin. Pure. */
export function maskSecrets(text: string): string {
  return text
    .replace(PEM, SECRET_MASK)
    .replace(URL_USER, `$1${SECRET_MASK}@`)
    .replace(BEARER, `$1$2${SECRET_MASK}`)
    .replace(JWT, SECRET_MASK)
    .replace(OWN_KEY, SECRET_MASK)
    .replace(SUPERVISOR_TOKEN, SECRET_MASK)
    .replace(AWS_KEY, SECRET_MASK)
    .replace(VENDOR_KEY, SECRET_MASK)
    .replace(NAMED, (whole, name: string, value: string) => {
      // The patterns above have masked bearer and basic tokens. A mask is not masked again.
      if (value.startsWith(SECRET_MASK) || /^["']?(bearer|basic)$/i.test(value)) return whole;
      const quote = /^["']/.exec(value)?.[0] ?? '';
      return `${name}${quote}${SECRET_MASK}${quote}`;
    });
}

/** Masks data: members with the name of a secret completely, all other texts by their patterns. Pure. */
export function maskMembers(value: unknown, name = ''): unknown {
  if (value === null || value === undefined) return value;
  if (typeof value === 'object') {
    if (Array.isArray(value)) return value.map((item) => maskMembers(item, name));
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, maskMembers(member, isSecretName(name) ? name : key)]),
    );
  }
  if (typeof value === 'boolean' || value === '') return value;
  if (isSecretName(name)) return SECRET_MASK;
  return typeof value === 'string' ? maskSecrets(value) : value;
}

/** Masks data whose members are known to contain no secrets, only texts of people and programs. Pure. */
export function maskTexts<T>(value: T): T;
export function maskTexts(value: unknown): unknown {
  if (typeof value === 'string') return maskSecrets(value);
  if (Array.isArray(value)) return value.map((item: unknown) => maskTexts(item));
  // A Date, or another object that is not a plain object.
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, maskTexts(member as unknown)]));
}
