import { Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { callerName } from '../access/caller-name.js';
import { factsOf } from '../request-facts.js';
import type { Metrics } from './metrics.js';

/** Probes call these routes every second, so they are not logged. */
const UNSAID = ['/health/live', '/health/ready', '/metrics'];

/** Counts each request when its answer is sent, and logs one line: writes at `info`, reads at `debug`. */
export class RequestObserver {
  private readonly logger = new Logger('Http');

  constructor(private readonly metrics: Metrics) {}

  observe(request: Request, response: Response): void {
    const begun = performance.now();
    response.once('close', () => {
      const seconds = (performance.now() - begun) / 1000;
      const route = routeOf(request);
      this.metrics.observeRequest(request.method, route, response.statusCode, seconds);
      if (!UNSAID.includes(route)) this.say(request, response, route, seconds);
    });
  }

  private say(request: Request, response: Response, route: string, seconds: number): void {
    const { traceId, actor } = factsOf(request);
    const fields = {
      traceId,
      method: request.method,
      route,
      status: response.statusCode,
      ms: Math.round(seconds * 1000),
      tenant: actor?.caller.tenant?.id,
      caller: actor ? callerName(actor.caller) : undefined,
    };
    if (request.method === 'GET') this.logger.debug(fields, 'request answered');
    else this.logger.log(fields, 'request answered');
  }
}

const routeOf = (request: Request): string => {
  const { path } = (request.route ?? {}) as { path?: string };
  return path ?? 'none';
};
