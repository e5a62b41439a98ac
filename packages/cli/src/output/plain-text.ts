/**
 * Characters that move the cursor, change colours, are invisible or change the direction of a line. Tenants and clients of brokers write
 * names and log lines.
 */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu;

/** The text without characters that could change the terminal or hide something. A tab is a space. */
export const plain = (text: string, kept = ''): string =>
  text.replaceAll(UNSAFE, (one) => (kept.includes(one) ? one : one === '\t' ? ' ' : '\uFFFD'));

/** The same for a text of several lines. */
export const plainLines = (text: string): string => plain(text, '\n');
