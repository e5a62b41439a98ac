import { IsOneOf, IsText, Optional, NamedListQuery } from '@libs/http';
import { ACCOUNT_CLOUDS, ACCOUNT_STATUSES } from './cloud-account.view.js';

/** Filters of the list of cloud accounts. */
export class CloudAccountsQuery extends NamedListQuery {
  @Optional()
  @IsText(100, 'Only with this in the name, without regard to case.')
  name?: string;

  @Optional()
  @IsOneOf(ACCOUNT_CLOUDS, 'Only of this cloud.')
  cloud?: string;

  @Optional()
  @IsText(64, 'Only with this in the region, without regard to case.')
  region?: string;

  @Optional()
  @IsOneOf(ACCOUNT_STATUSES, 'Only with this status.')
  status?: string;
}
