import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { DomainError, type OutageCode } from '@libs/domain';
import { Public } from '../access/access.decorator.js';
import { Returns } from '../answers/answers.decorator.js';
import { FailsWith } from '../errors/fails-with.decorator.js';
import { IgnoresUnknownQuery } from '../input/route-input.js';
import { Shutdown } from '../lifetime/shutdown.js';
import { HealthView } from './health.view.js';

/** Why a process cannot serve. */
export interface Unready {
  code: 'provider_unavailable' | OutageCode;
  /** For people. Everybody may read it. */
  says: string;
}

/** Whether the process can serve. Each app implements its own checks. */
export abstract class Readiness {
  /** Returns what is missing; empty when ready. */
  abstract problems(): Promise<Unready[]>;
}

const STOPPING: Unready = { code: 'provider_unavailable', says: 'the process is stopping' };

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
    refuseUnready(this.shutdown.signal.aborted ? [STOPPING] : await this.readiness.problems());
    return { status: 'ok' };
  }
}

function refuseUnready(problems: readonly Unready[]): void {
  const [first] = problems;
  if (first) throw new DomainError(first.code, problems.map(({ says }) => says).join('; '));
}
