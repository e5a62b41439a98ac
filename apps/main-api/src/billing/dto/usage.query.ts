import { IsMoment, ListQuery } from '@libs/http';

/** The period of the usage. */
export class UsageQuery extends ListQuery {
  @IsMoment('Not older than this moment; left out: the beginning of this calendar month in UTC.')
  from?: Date;

  @IsMoment('Older than this moment; left out: now. At most 400 days after `from`.')
  to?: Date;
}
