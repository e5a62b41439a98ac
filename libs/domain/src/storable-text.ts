/**
 * The texts that every part of the database can store. PostgreSQL refuses NUL in a text, and a single surrogate in
 * JSON. In other columns a single surrogate silently becomes another character. HTTP and the agents' gateway both use
 * this rule.
 */
export const isStorableText = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** Returns the text in a form that can be stored. The replacement character replaces other characters. */
export const toStorableText = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD');

/** Returns at most the first `longest` UTF-16 units of a text. A character of two units is kept whole or left out. */
export function cutText(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const isSplit = (text.codePointAt(longest - 1) ?? 0) > 0xffff;
  return text.slice(0, isSplit ? longest - 1 : longest);
}
