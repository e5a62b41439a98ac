/**
 * The texts that every part of the database stores. PostgreSQL refuses NUL in a text, and refuses the half of a surrogate
 * pair in JSON; elsewhere the half becomes another character without a word. Both doors, HTTP and the agents' gateway,
 * judge by this one rule.
 */
export const isStorableText = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** The same text where it can be stored; what cannot be stored becomes the replacement character. */
export const toStorableText = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD');

/** The first `longest` UTF-16 units of a text at most; a character that takes two units stays whole or is left out. */
export function cutText(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const isSplit = (text.codePointAt(longest - 1) ?? 0) > 0xffff;
  return text.slice(0, isSplit ? longest - 1 : longest);
}
