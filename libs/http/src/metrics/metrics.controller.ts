import { createHash } from 'node:crypto';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import { DomainError, isSameHash } from '@libs/domain';
import type { Request, Response } from 'express';
import { Public } from '../access/access.decorator.js';
import { IgnoresUnknownQuery } from '../input/route-input.js';
import { Metrics } from './metrics.js';

/** The secret of scrapers, or null: then only this machine may scrape. */
export abstract class ScrapeToken {
  abstract readonly token: string | null;
}

const LOOPBACK = ['127.0.0.1', '::1', '::ffff:127.0.0.1'];

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** For Prometheus and its like. Not part of the API: it speaks of the process, not of anybody's resources. */
@IgnoresUnknownQuery()
@Controller('metrics')
export class MetricsController {
  constructor(
    private readonly metrics: Metrics,
    private readonly scrape: ScrapeToken,
  ) {}

  /** The exposition text, for whoever holds METRICS_TOKEN, or for this machine when none is set. */
  @Get()
  @Public('guarded by METRICS_TOKEN, or open to this machine alone')
  @ApiExcludeEndpoint()
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
    // Behind a proxy on this machine everybody comes from this machine.
    const isForwarded = request.headers['x-forwarded-for'] !== undefined || request.headers.forwarded !== undefined;
    return !isForwarded && LOOPBACK.includes(request.socket.remoteAddress ?? '');
  }
}
