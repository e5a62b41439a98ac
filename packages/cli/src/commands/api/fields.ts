import { usage } from '../../exit.js';

type Members = Record<string, unknown>;

/** The body of a request: the JSON of `--body`, and the members of `--field`. Undefined: there is none. */
export function bodyOf({ body, field }: { body?: string; field?: string[] }): string | undefined {
  if (field === undefined) return body;
  if (body !== undefined) throw usage('--body and --field are both the body.', 'use one of them');
  return JSON.stringify(field.reduce<Members>((members, one) => withField(members, one), {}));
}

/** The path with the members of `--field` in its query. */
export function queryOf(path: string, field: string[] | undefined): string {
  if (field === undefined) return path;
  const query = new URLSearchParams(field.map((one) => pairOf(one)));
  return `${path}${path.includes('?') ? '&' : '?'}${query.toString()}`;
}

function pairOf(field: string): [string, string] {
  const at = field.indexOf('=');
  if (at > 0) return [field.slice(0, at), field.slice(at + 1)];
  throw usage(`"${field}" has no value.`, '-f key=value');
}

function withField(members: Members, field: string): Members {
  const [key, text] = pairOf(field);
  return nested(members, key.split('.'), typed(text));
}

function nested(members: Members, [word = '', ...words]: readonly string[], value: unknown): Members {
  if (words.length === 0) return { ...members, [word]: value };
  return { ...members, [word]: nested((members[word] as Members | undefined) ?? {}, words, value) };
}

/** Numbers, true, false, null, lists and objects are JSON. Everything else is a text. */
function typed(text: string): unknown {
  if (!/^(?:-?\d{1,15}(?:\.\d+)?|true|false|null|[[{"].*)$/s.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
