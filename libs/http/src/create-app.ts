import type { DynamicModule, INestApplication, LoggerService, NestApplicationOptions, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DomainError } from '@libs/domain';
import {
  admitConnections,
  hasSeveralHosts,
  limitsOf,
  type AppListener,
  type ConnectionLimits,
} from '@libs/domain/admission';
import type { NextFunction, Request, Response } from 'express';
import helmet from 'helmet';
import { Connections } from './access/connections.js';
import { crossOrigin } from './access/cross-origin.js';
import { observedAdmission } from './access/observed-admission.js';
import { LandlordAdapter } from './answers/landlord.adapter.js';
import { Shutdown } from './lifetime/shutdown.js';
import { Metrics } from './metrics/metrics.js';
import { RequestObserver } from './metrics/request-observer.js';
import { factsOf } from './request-facts.js';

/** Answers that are the same for all callers and contain no secrets. */
const DOCUMENTATION = /^\/(docs|openapi)\b/;

export type AppFactory = (
  module: Type | DynamicModule,
  adapter: LandlordAdapter,
  options: NestApplicationOptions,
) => Promise<INestApplication>;

export interface AppOptions {
  logger: LoggerService;
  /** Its row in the table of listeners. */
  listener: AppListener;
  /** Default: the row of the table, for this process. */
  connections?: ConnectionLimits;
  /** Addresses or CIDRs whose `x-forwarded-for` is trusted. */
  trustedProxies: readonly string[];
  /** Serve HTTPS with this certificate. */
  tls?: { cert: Buffer; key: Buffer } | undefined;
  /** The origins whose pages may call the app. Default: only its own. */
  origins?: readonly string[];
  /** Creates the app of Nest. A test replaces providers here. */
  factory?: AppFactory;
}

/** Builds an HTTP app. Both apps are built this way: ids first, security headers, no body before the guard accepts. */
export async function createApp(module: Type | DynamicModule, options: AppOptions): Promise<INestApplication> {
  const adapter = new LandlordAdapter();
  const create: AppFactory = options.factory ?? ((...app) => NestFactory.create(...app));
  const app = await create(module, adapter, {
    bodyParser: false,
    // Nest would end the process itself, with a stack for every cause.
    abortOnError: false,
    logger: options.logger,
    ...(options.tls && { httpsOptions: options.tls }),
  });
  const express = adapter.getInstance<import('express').Express>();
  express.disable('x-powered-by');
  express.set('etag', false);
  express.set('query parser', 'simple');
  express.set('trust proxy', options.trustedProxies.length > 0 ? [...options.trustedProxies] : false);
  const security = securityHeaders();
  const observer = new RequestObserver(app.get(Metrics));
  const { signal: stopping } = app.get(Shutdown);
  app.use((request: Request, response: Response, next: NextFunction) => {
    response.setHeader('ld-request', factsOf(request).requestId);
    for (const [name, value] of security) response.setHeader(name, value);
    // Answers contain credentials, and the API uses its own header, which shared caches ignore. Public pages override
    // this.
    if (!DOCUMENTATION.test(request.url)) response.setHeader('cache-control', 'no-store');
    // For every answer, also replays and pages. The adapter and the filter handle requests that started before the
    // stop.
    if (stopping.aborted) response.setHeader('connection', 'close');
    observer.observe(request, response);
    if (hasSeveralHosts(request)) next(new DomainError('validation_failed', 'A request has one Host header.'));
    else next();
  });
  if (options.origins) app.use(crossOrigin(options.origins));
  adapter.stopping = stopping;
  const [{ listener }, hasTls] = [options, options.tls !== undefined];
  const connections = observedAdmission(
    listener,
    options.connections ?? limitsOf(listener, { hasTls }),
    app.get(Metrics),
  );
  admitConnections(adapter.getHttpServer(), connections, options.trustedProxies);
  app.get(Connections).admission = connections;
  app.enableShutdownHooks();
  return app;
}

/**
 * Helmet's headers are the same for every answer. They are computed once, because its thirteen middlewares cost more
 * than a guard.
 */
function securityHeaders(): [string, string][] {
  const headers: [string, string][] = [];
  const recorder = {
    setHeader: (name: string, value: string) => headers.push([name.toLowerCase(), value]),
    removeHeader: () => undefined,
  };
  const apply = helmet({ contentSecurityPolicy: { directives: { 'upgrade-insecure-requests': null } } });
  apply({} as Request, recorder as unknown as Response, () => undefined);
  return headers;
}
