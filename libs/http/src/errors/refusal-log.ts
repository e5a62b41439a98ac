import { Logger } from '@nestjs/common';
import type { ErrorCode } from '@libs/domain';

/** During an outage every request is refused. A person needs to be told once, and again while it lasts. */
const QUIET_MS = 60_000;

/** Logs the requests that this server could not serve, without fault of the caller: one warning a minute for each code. */
export class RefusalLog {
  private readonly warnings = new Map<ErrorCode, { at: number; since: number }>();

  constructor(
    private readonly logger: Logger,
    private readonly now: () => number = () => performance.now(),
  ) {}

  tell(code: ErrorCode, about: object): void {
    const last = this.warnings.get(code);
    const at = this.now();
    if (last && at - last.at < QUIET_MS) {
      last.since += 1;
      this.logger.debug({ ...about, code }, 'request could not be served');
      return;
    }
    this.warnings.set(code, { at, since: 0 });
    this.logger.warn({ ...about, code, alike: last?.since ?? 0 }, 'request could not be served');
  }
}
