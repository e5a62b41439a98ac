import type { INestApplication, LoggerService, Type, DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NextFunction, Request, Response } from 'express';
import helmet from 'helmet';
import { LandlordAdapter } from './answers/landlord.adapter.js';
import { factsOf } from './request-facts.js';

export interface AppOptions {
  logger: LoggerService;
  /** Addresses or CIDRs whose `x-forwarded-for` is believed. */
  trustedProxies: readonly string[];
}

/** Builds an HTTP app the one way both apps are built: ids first, security headers, no body until the guard agrees. */
export async function createApp(module: Type | DynamicModule, options: AppOptions): Promise<INestApplication> {
  const adapter = new LandlordAdapter();
  const app = await NestFactory.create(module, adapter, {
    bodyParser: false,
    logger: options.logger,
    bufferLogs: false,
  });
  const express = adapter.getInstance<import('express').Express>();
  express.disable('x-powered-by');
  express.set('etag', false);
  express.set('query parser', 'simple');
  express.set('trust proxy', options.trustedProxies.length > 0 ? [...options.trustedProxies] : false);
  app.use((request: Request, response: Response, next: NextFunction) => {
    response.setHeader('ld-request', factsOf(request).requestId);
    next();
  });
  app.use(helmet({ contentSecurityPolicy: { directives: { 'upgrade-insecure-requests': null } } }));
  app.enableShutdownHooks();
  return app;
}
