const WEB_ADDRESS = /:\/\/|www\./i;

/**
 * A text without words that readers of mails could follow as links: names that somebody chose stand in mails to strangers, and
 * stored names may be older than the rule that refuses web addresses in names.
 */
export const withoutWebAddresses = (text: string): string =>
  text
    .split(/(\s+)/)
    .map((word) => (WEB_ADDRESS.test(word) ? '[link removed]' : word))
    .join('');
