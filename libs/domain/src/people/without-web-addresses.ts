const WEB_ADDRESS = /:\/\/|www\./i;

/**
 * Removes words that mail programs could show as links. Mails to other people contain names that users chose. Stored
 * names may be older than the rule that refuses web addresses in names.
 */
export const withoutWebAddresses = (text: string): string =>
  text
    .split(/(\s+)/)
    .map((word) => (WEB_ADDRESS.test(word) ? '[link removed]' : word))
    .join('');
