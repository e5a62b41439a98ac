const MASK = '********';
/** Shorter ones are words that stand everywhere. */
const SHORTEST_SECRET = 4;

/** Takes known secrets out of what leaves the node, however they are spelled: as they are, in JSON, in an address. */
export class LogRedaction {
  /** Old ones stay: a line may be older than the secret that replaced its own. */
  private readonly spellings = new Set<string>();

  know(...secrets: readonly string[]): void {
    for (const secret of secrets) {
      if (secret.length < SHORTEST_SECRET) continue;
      for (const spelling of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
        this.spellings.add(spelling);
    }
  }

  redact(text: string): string {
    let redacted = text;
    for (const spelling of this.spellings) redacted = redacted.replaceAll(spelling, MASK);
    return redacted;
  }
}
