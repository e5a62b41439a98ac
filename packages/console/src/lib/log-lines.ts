/** So many lines are kept in a tab. */
const MOST_LINES = 1_000;
/** Characters that hide something, or change the direction of a line. Clients of brokers write log lines. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu;

interface Numbered {
  id: number;
  at: string;
}

/** Both lists as one, each line once, oldest first, without the oldest lines above the limit. */
export function joined<Line extends Numbered>(known: readonly Line[], more: readonly Line[]): readonly Line[] {
  const byId = new Map([...known, ...more].map((line) => [line.id, line]));
  return [...byId.values()].sort(byTime).slice(-MOST_LINES);
}

const byTime = (one: Numbered, other: Numbered): number =>
  Date.parse(one.at) - Date.parse(other.at) || one.id - other.id;

/** The line that arrived last, which need not be the newest one. Undefined: there is no line. */
export const lastArrived = (lines: readonly Numbered[]): number | undefined =>
  lines.length === 0 ? undefined : Math.max(...lines.map(({ id }) => id));

/** The text with every character that a reader would not see as its code, such as `\u{202e}`. */
export const visible = (text: string): string =>
  text.replaceAll(UNSAFE, (one) => (one === '\t' ? ' ' : `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`));
