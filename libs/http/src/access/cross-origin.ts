import type { ResourceKind } from '@libs/domain';
import type { NextFunction, Request, RequestHandler, Response } from 'express';

const METHODS = 'GET, HEAD, POST, PUT, DELETE';
const REQUEST_HEADERS = 'ld-api-key, content-type, idempotency-key, if-match, if-none-match, last-event-id, accept';
/** Browsers keep the answer to a preflight for at most two hours. */
const PREFLIGHT_SECONDS = 7_200;

/** The kinds of resources that answers of a Supervisor name in a header. */
const RESOURCES: readonly ResourceKind[] = [
  ...(['access-rule', 'api-key', 'attachment', 'backup', 'config', 'connector-instance', 'deployment'] as const),
  ...(['endpoint-service', 'operation', 'peering', 'snapshot', 'task'] as const),
];

/** The headers that the script of a page may read. */
export const EXPOSED_HEADERS: readonly string[] = [
  ...['ld-request', 'ld-version', ...RESOURCES.map((kind) => `ld-${kind}`)],
  ...['etag', 'link', 'location', 'retry-after', 'idempotent-replayed', 'deprecation', 'sunset'],
  ...['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'ratelimit-policy'],
];

/**
 * Lets pages of exactly these origins call the API, without credentials of the browser: they send their token in a
 * header. Answers preflights before the guard, because a preflight has no token. Other origins get no header.
 */
export function crossOrigin(origins: readonly string[]): RequestHandler {
  const allowed = new Set(origins);
  return (request: Request, response: Response, next: NextFunction) => {
    response.vary('origin');
    const { origin } = request.headers;
    if (origin === undefined || !allowed.has(origin)) return next();
    response.setHeader('access-control-allow-origin', origin);
    if (!isPreflight(request)) {
      response.setHeader('access-control-expose-headers', EXPOSED_HEADERS.join(', '));
      return next();
    }
    response.vary('access-control-request-method');
    response.vary('access-control-request-headers');
    response.setHeader('access-control-allow-methods', METHODS);
    response.setHeader('access-control-allow-headers', REQUEST_HEADERS);
    response.setHeader('access-control-max-age', String(PREFLIGHT_SECONDS));
    response.status(204).end();
  };
}

const isPreflight = ({ method, headers }: Request): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
