import { applyDecorators } from '@nestjs/common';
import { ApiProperty, OmitType } from '@nestjs/swagger';
import { AUDIT_TYPES, MAX_ID } from '@libs/domain';
import { IsMoment, PageQuery, wholeNumber } from '@libs/http';
import { Transform } from 'class-transformer';
import { IsIn, IsInt, IsOptional, Matches, Max, Min } from 'class-validator';

const TYPES = Object.keys(AUDIT_TYPES);
const UUID = /^(?:[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/** One parameter with commas, in the notation of OpenAPI. */
const COMMA_LIST = { style: 'form', explode: false };

const IsFilterId = (description: string, minimum = 1): PropertyDecorator =>
  applyDecorators(
    IsOptional(),
    Transform(wholeNumber),
    IsInt(),
    Min(minimum),
    Max(MAX_ID),
    ApiProperty({ type: 'integer', format: 'int64', minimum, maximum: MAX_ID, required: false, description }),
  );

/** Filters of audit entries. All filters apply together. */
export class AuditQuery extends PageQuery {
  @IsMoment('Not older than this moment; a date alone is its midnight in UTC.')
  from?: Date;

  @IsMoment('Older than this moment.')
  to?: Date;

  @IsFilterId('The user that was acted on.')
  user?: number;

  @IsFilterId('The user that acted; 0 is the operator of the installation.', 0)
  author?: number;

  @IsFilterId('The API key that was acted by.')
  api_key?: number;

  @IsFilterId('What happened in this division.')
  division?: number;

  @IsFilterId('What happened in this environment.')
  environment?: number;

  @IsFilterId('What happened to this deployment.')
  deployment?: number;

  @ApiProperty({
    type: 'array',
    items: { type: 'string', enum: TYPES },
    required: false,
    description: 'Only of these types, with commas between them; GET /audit/types lists them all.',
    ...COMMA_LIST,
  })
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => String(value).split(','))
  @IsIn(TYPES, { each: true, message: ({ value }) => `${unknownTypes(value)} is not a type of GET /audit/types` })
  types?: string[];

  @ApiProperty({
    type: 'string',
    required: false,
    description: 'What belongs to this request or workflow: a UUID, or the 32 hex characters of a trace id.',
  })
  @IsOptional()
  @Matches(UUID, { message: 'must be a UUID or 32 hex characters' })
  correlation_id?: string;
}

/** The same filters without paging. */
export class AuditExportQuery extends OmitType(AuditQuery, ['page', 'results'] as const) {}

const unknownTypes = (value: unknown): string =>
  (value as string[])
    .filter((type) => !TYPES.includes(type))
    .map((type) => JSON.stringify(type))
    .join(', ');
