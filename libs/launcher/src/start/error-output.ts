import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

const KEPT_CHARACTERS = 64 * 1024;
/** A child of the dead process may still have its end of the pipe. */
const LAST_WORDS_MS = 250;

/**
 * What one process writes to its standard error: to its log, and the end of it in memory. An app ends with its reason there, and a
 * full disk does not take the log. A process whose launcher has died writes to nobody, and continues.
 */
export class ErrorOutput {
  private kept = '';

  constructor(
    private readonly stream: Readable,
    private readonly log: string,
  ) {
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => this.take(text));
    stream.on('error', () => undefined);
  }

  /** Up to the last 64 KiB. */
  get text(): string {
    return this.kept;
  }

  /** Resolves when everything is here that the ended process wrote. */
  async end(): Promise<void> {
    if (!this.stream.readableEnded)
      await Promise.race([once(this.stream, 'end'), delay(LAST_WORDS_MS)]).catch(() => undefined);
    this.stream.destroy();
  }

  private take(text: string): void {
    this.kept = (this.kept + text).slice(-KEPT_CHARACTERS);
    try {
      appendFileSync(this.log, text, { mode: 0o600 });
    } catch {
      // The disk is full. The memory has it.
    }
  }
}
