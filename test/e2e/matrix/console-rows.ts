import type { Row } from './row.js';

/** Routes of the console. */
export const CONSOLE_ROWS: Record<string, Row> = {
  // Only browsers are led to the console.
  'main-api: GET /': { status: 404 },
  'main-api: GET /console': { status: 200 },
  'main-api: GET /console/*path': { status: 200 },
  'main-api: GET /guides': { status: 200 },
  // No guide and no asset have these names.
  'main-api: GET /guides/*path': { status: 404 },
  'main-api: GET /console/assets': { status: 404 },
  'main-api: GET /console/assets/*path': { status: 404 },
  'main-api: POST /tenants/:tenant_id/supervisor_tokens': {
    status: 200,
    as: 'owner',
    body: ({ cloud }) => ({ supervisor_url: cloud.supervisor.url }),
  },
};
