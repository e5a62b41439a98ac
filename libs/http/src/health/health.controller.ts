import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { DomainError } from '@libs/domain';
import { Public } from '../access/access.decorator.js';
import { Returns } from '../answers/answers.decorator.js';
import { FailsWith } from '../errors/fails-with.decorator.js';
import { IgnoresUnknownQuery } from '../input/route-input.js';
import { Shutdown } from '../lifetime/shutdown.js';
import { HealthView } from './health.view.js';

/** Whether the process can serve. Each app implements its own checks. */
export abstract class Readiness {
  /** Returns what is missing, as text; empty when ready. */
  abstract problems(): Promise<string[]>;
}

@ApiTags('Health')
@IgnoresUnknownQuery()
@Controller('health')
export class HealthController {
  constructor(
    private readonly readiness: Readiness,
    private readonly shutdown: Shutdown,
  ) {}

  /** Returns 200 while the process runs. */
  @Get('live')
  @Public('a probe has no key')
  @Returns(HealthView)
  live(): HealthView {
    return { status: 'ok' };
  }

  /** Returns 200 when the process can serve requests, and otherwise 503 with the missing parts. */
  @Get('ready')
  @Public('a probe has no key')
  @Returns(HealthView)
  @FailsWith('provider_unavailable')
  async ready(): Promise<HealthView> {
    const problems = this.shutdown.signal.aborted ? ['the process is stopping'] : await this.readiness.problems();
    if (problems.length > 0) throw new DomainError('provider_unavailable', problems.join('; '));
    return { status: 'ok' };
  }
}
