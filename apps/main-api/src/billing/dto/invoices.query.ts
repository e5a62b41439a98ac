import { ApiProperty } from '@nestjs/swagger';
import { PageQuery } from '@libs/http';
import { INVOICE_STATUSES, type InvoiceStatus } from '@libs/persistence/billing';
import { IsIn, IsOptional } from 'class-validator';

export class InvoicesQuery extends PageQuery {
  @ApiProperty({ enum: [...INVOICE_STATUSES], required: false, description: 'Only with this status.' })
  @IsOptional()
  @IsIn([...INVOICE_STATUSES])
  status?: InvoiceStatus;
}
