import { OPERATION_STATUSES, OPERATIONS } from '@libs/domain';
import { ApiProperty } from '@nestjs/swagger';
import { IsOneOf, IsQueryId, IsWholeNumber, Optional, TimedListQuery } from '@libs/http';

/** Filters of the list of operations. */
export class OperationsQuery extends TimedListQuery {
  @Optional()
  @IsQueryId('Only of this deployment.')
  deployment?: number;

  @Optional()
  @IsOneOf(Object.keys(OPERATIONS), 'Only of this type.')
  type?: string;

  @Optional()
  @IsOneOf(OPERATION_STATUSES, 'Only with this status.')
  status?: string;
}

/** How long to wait for the end. */
export class WaitQuery {
  @Optional()
  @IsWholeNumber(0, 60, 'Seconds to wait for the end.')
  @ApiProperty({ default: 0 })
  wait: number = 0;
}
