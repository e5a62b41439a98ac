import { createHash } from 'node:crypto';
import { Get, Req, Res } from '@nestjs/common';
import { DomainError, isSameHash } from '@libs/domain';
import type { Request, Response } from 'express';
import { everybody } from '../access/access.decorator.js';
import { isFromThisMachine } from '../access/from-this-machine.js';
import { Sends } from '../answers/answers.decorator.js';
import { IgnoresUnknownQuery } from '../input/route-input.js';
import { Routes } from '../routes/routes.decorator.js';
import { Metrics } from './metrics.js';

/** The token of scrapers. Null: only this machine may scrape. */
export abstract class ScrapeToken {
  abstract readonly token: string | null;
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** For Prometheus and compatible scrapers. Not part of the API: it describes the process, not the resources of a tenant. */
@IgnoresUnknownQuery()
@Routes('metrics', null)
export class MetricsController {
  constructor(
    private readonly metrics: Metrics,
    private readonly scrape: ScrapeToken,
  ) {}

  /** Returns the exposition text to callers with METRICS_TOKEN. If it is not set, only to callers on this machine. */
  @Get()
  @Sends(everybody('guarded by METRICS_TOKEN, or open to this machine alone'))
  async read(@Req() request: Request, @Res() response: Response): Promise<void> {
    if (!this.mayScrape(request)) throw new DomainError('route_not_found', 'No route GET /metrics.');
    const text = await this.metrics.render();
    response.writeHead(200, { 'content-type': this.metrics.contentType }).end(text);
  }

  private mayScrape(request: Request): boolean {
    const { token } = this.scrape;
    if (token !== null) {
      return isSameHash(sha256(request.headers.authorization ?? ''), sha256(`Bearer ${token}`));
    }
    return isFromThisMachine(request);
  }
}
