import type { ApiPropertyOptions } from '@nestjs/swagger';

/** The member `last_report_at` of a deployment. */
export const LAST_REPORT: ApiPropertyOptions = {
  type: 'string',
  format: 'date-time',
  nullable: true,
  description:
    'The last report that `status` rests on, while reports are late: `status` is what was true then. Null: all are on time.',
};
