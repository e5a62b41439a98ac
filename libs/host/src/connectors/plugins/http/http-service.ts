import type { PluginOptions } from '../plugin-options.js';
import type { PluginContext } from '../plugin.js';
import { HttpDestination, urlOf } from './http-destination.js';

/** The options that services over HTTP share, with the defaults of a plugin in milliseconds. */
export interface ServiceDefaults {
  timeoutMs?: number;
  retryMs?: number;
  longestRetryMs?: number;
}

/** The service of a plugin: its checked URL, and the guarded client. @throws ConnectorFault */
export function serviceOf(
  options: PluginOptions,
  context: PluginContext,
  { timeoutMs = 30_000, retryMs = 1_000, longestRetryMs = 5_000 }: ServiceDefaults = {},
): { base: URL; http: HttpDestination } {
  const repetitions = {
    most: options.count('max_retries', 3),
    delayMs: options.duration('retry_delay', retryMs),
    factor: 2,
    longestMs: options.duration('max_retry_delay', longestRetryMs),
  };
  const timeout = options.duration('timeout', timeoutMs);
  return {
    base: urlOf('url', options.text('url'), context),
    http: new HttpDestination({ timeoutMs: timeout, repetitions }, context),
  };
}
