import { Injectable, Logger } from '@nestjs/common';
import { CellsRepository } from '@libs/persistence/organization';

const KNOWN_MS = 5_000;

/** What the page of the console may load and call: its own origin, and every known Supervisor. */
@Injectable()
export class ContentPolicy {
  private readonly logger = new Logger('Console');
  private supervisors: readonly string[] = [];
  private knownUntil = 0;
  private reading: Promise<void> | null = null;

  constructor(private readonly cells: CellsRepository) {}

  /** The value of the header `content-security-policy`. A Supervisor is in it at most five seconds after its start. */
  async header(nowMs = Date.now()): Promise<string> {
    if (nowMs >= this.knownUntil) await (this.reading ??= this.read(nowMs));
    return [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      "font-src 'self'",
      ["connect-src 'self'", ...this.supervisors].join(' '),
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ].join('; ');
  }

  private async read(nowMs: number): Promise<void> {
    try {
      const origins = (await this.cells.list()).map(({ url }) => URL.parse(url)?.origin ?? 'null');
      this.supervisors = [...new Set(origins)].filter((origin) => origin !== 'null').sort();
      this.knownUntil = nowMs + KNOWN_MS;
    } catch (error) {
      // The page itself needs no database. The next request reads again.
      this.logger.warn({ err: error }, 'the Supervisors could not be read');
    } finally {
      this.reading = null;
    }
  }
}
