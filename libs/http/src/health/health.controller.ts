import { Get } from '@nestjs/common';
import { DomainError, type OutageCode } from '@libs/domain';
import { everybody } from '../access/access.decorator.js';
import { Reads } from '../answers/answers.decorator.js';
import { FailsWith } from '../errors/fails-with.decorator.js';
import { IgnoresUnknownQuery } from '../input/route-input.js';
import { Shutdown } from '../lifetime/shutdown.js';
import { Routes } from '../routes/routes.decorator.js';
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

@IgnoresUnknownQuery()
@Routes('health', 'Health')
export class HealthController {
  constructor(
    private readonly readiness: Readiness,
    private readonly shutdown: Shutdown,
  ) {}

  /** Returns 200 while the process runs. */
  @Get('live')
  @Reads(everybody('a probe has no key'), HealthView)
  live(): HealthView {
    return { status: 'ok' };
  }

  /** Returns 200 when the process can serve requests, and otherwise 503 with the missing parts. */
  @Get('ready')
  @Reads(everybody('a probe has no key'), HealthView)
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
