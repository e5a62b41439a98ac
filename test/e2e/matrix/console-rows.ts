import type { Row } from './row.js';

/** Routes of the console. */
export const CONSOLE_ROWS: Record<string, Row> = {
  'main-api: POST /tenants/:tenant_id/supervisor_tokens': {
    status: 200,
    as: 'owner',
    body: ({ cloud }) => ({ supervisor_url: cloud.supervisor.url }),
  },
};
