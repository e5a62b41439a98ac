import { CONNECTOR_TYPES, type ConnectorType } from '@libs/domain';
import { PageQuery } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';

/** Filters of the catalogue of connectors. */
export class ConnectorsQuery extends PageQuery {
  @ApiProperty({ enum: [...CONNECTOR_TYPES], required: false, description: 'Only of this type.' })
  @IsOptional()
  @IsIn(CONNECTOR_TYPES)
  type?: ConnectorType;
}
