import { IsOneOf, Optional, TimedListQuery } from '@libs/http';
import { DELIVERY_STATUSES } from './delivery.view.js';

/** Filters of deliveries. */
export class DeliveriesQuery extends TimedListQuery {
  @Optional()
  @IsOneOf(DELIVERY_STATUSES, 'Of this status only.')
  status?: string;
}
