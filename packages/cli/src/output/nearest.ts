/** More changes than these make another word. */
const MOST_CHANGES = 3;

/** The choice that differs least from the word, if it is similar. */
export function nearest(word: string, choices: readonly string[]): string | undefined {
  const ranked = choices
    .map((choice) => ({ choice, changes: changesBetween(word.toLowerCase(), choice.toLowerCase()) }))
    .sort((a, b) => a.changes - b.changes);
  const [first] = ranked;
  return first && first.changes <= Math.min(MOST_CHANGES, Math.ceil(word.length / 3)) ? first.choice : undefined;
}

/** The smallest number of letters to insert, delete or replace (Levenshtein). */
function changesBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_none, at) => at);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (let column = 1; column <= other.length; column += 1) {
      const replaced = (row[column - 1] ?? 0) + (other[column - 1] === letter ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
