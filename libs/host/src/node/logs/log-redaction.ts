const MASK = '********';
/** Shorter texts are too common to be masked. */
const SHORTEST_SECRET = 4;

/** Removes known secrets from output of the node in all spellings: plain, in JSON, in a URL. */
export class LogRedaction {
  /** Old secrets stay, because a line may be older than the current secret. */
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
