/** The most UTF-16 units of a name. */
export const NAME_LENGTH = 100;

/** Characters by their code points: a range, or one. Raw characters, because languages spell escapes above 0xff differently. */
const span = (first: number, last = first): string => `${String.fromCharCode(first)}-${String.fromCharCode(last)}`;

/**
 * The control characters, and the format characters (Cf of Unicode 16) of the basic plane: they are invisible or turn the direction of
 * text, so two names could look the same. Ranges, because not every language knows the category.
 */
const UNSEEN = [
  ...['\\x00-\\x1f', '\\x7f-\\x9f', '\\xad', span(0x600, 0x605), span(0x61c), span(0x6dd), span(0x70f)],
  ...[span(0x890, 0x891), span(0x8e2), span(0x180e), span(0x200b, 0x200f), span(0x202a, 0x202e)],
  // U+FEFF between two characters that mean nothing: generators copy the pattern into sources, and one of Go must not contain it.
  ...[span(0x2060, 0x2064), span(0x2066, 0x206f), span(0xfefe, 0xff00), span(0xfff9, 0xfffb)],
].join('');
/** Those of the other planes, which a pattern without flags cannot name: tags, shorthand, music and Egyptian formats. */
const UNSEEN_ABOVE =
  /[\u{110bd}\u{110cd}\u{13430}-\u{1343f}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0001}\u{e0020}-\u{e007f}]/gu;
const UNSEEN_BELOW = new RegExp(`[${UNSEEN}]`, 'g');
/** What `trim` removes. */
const BLANKS = [
  ' \\xa0',
  span(0x1680),
  span(0x2000, 0x200a),
  span(0x2028, 0x2029),
  span(0x202f),
  span(0x205f),
  span(0x3000),
].join('');

/** The published rule of a name: not only blanks, none a control or format character. Its length is a rule of its own. */
export const NAME_PATTERN = `^[^${UNSEEN}]*[^${UNSEEN}${BLANKS}][^${UNSEEN}]*$`;
const NAME = new RegExp(NAME_PATTERN);

/** Whether the text can be a name. Checks the length first, so that a long text is not scanned. */
export const isName = (text: string): boolean =>
  text.length <= NAME_LENGTH && NAME.test(text) && text.search(UNSEEN_ABOVE) < 0;

/** Returns the text without outer blanks, and each character in one form. Names are compared and shown. */
export const tidyName = (text: string): string => text.trim().normalize('NFC');

/** Returns the name that an older release should have stored: tidy, and without the characters that nobody sees. */
export const repairedName = (text: string): string =>
  tidyName(text.replace(UNSEEN_BELOW, '').replace(UNSEEN_ABOVE, ''));

/** The form in which names that look the same are equal. */
export const nameKey = (text: string): string => repairedName(text).toLowerCase();
