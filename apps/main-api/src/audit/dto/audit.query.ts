import { ApiProperty, OmitType } from '@nestjs/swagger';
import { AUDIT_TYPES } from '@libs/domain';
import { IsMoment, IsQueryId, Optional, ListQuery } from '@libs/http';
import { Transform } from 'class-transformer';
import { IsIn, Matches } from 'class-validator';

const TYPES = Object.keys(AUDIT_TYPES);
const UUID = /^(?:[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/** One parameter with commas, in the notation of OpenAPI. */
const COMMA_LIST = { style: 'form', explode: false };

/** Filters of audit entries. All filters apply together. */
export class AuditQuery extends ListQuery {
  @IsMoment('Not older than this moment; a date alone is its midnight in UTC.')
  from?: Date;

  @IsMoment('Older than this moment.')
  to?: Date;

  @Optional()
  @IsQueryId('The user that was acted on.')
  user?: number;

  @Optional()
  @IsQueryId('The user that acted; 0 is the operator of the installation.', 0)
  author?: number;

  @Optional()
  @IsQueryId('The API key that was acted by.')
  api_key?: number;

  @Optional()
  @IsQueryId('What happened in this division.')
  division?: number;

  @Optional()
  @IsQueryId('What happened in this environment.')
  environment?: number;

  @Optional()
  @IsQueryId('What happened to this deployment.')
  deployment?: number;

  @ApiProperty({
    type: 'array',
    items: { type: 'string', enum: TYPES },
    description: 'Only of these types, with commas between them; GET /audit/types lists them all.',
    ...COMMA_LIST,
  })
  @Optional()
  @Transform(({ value }: { value: unknown }) => String(value).split(','))
  @IsIn(TYPES, { each: true, message: ({ value }) => `${unknownTypes(value)} is not a type of GET /audit/types` })
  types?: string[];

  @ApiProperty({
    type: 'string',
    description: 'What belongs to this request or workflow: a UUID, or the 32 hex characters of a trace id.',
  })
  @Optional()
  @Matches(UUID, { message: 'must be a UUID or 32 hex characters' })
  correlation_id?: string;
}

/** The same filters without paging. */
export class AuditExportQuery extends OmitType(AuditQuery, ['page', 'results', 'cursor'] as const) {}

const unknownTypes = (value: unknown): string =>
  (value as string[])
    .filter((type) => !TYPES.includes(type))
    .map((type) => JSON.stringify(type))
    .join(', ');
