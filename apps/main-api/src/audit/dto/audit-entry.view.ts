import { ApiProperty } from '@nestjs/swagger';
import { AUDIT_TYPES } from '@libs/domain';
import { ApiTime, ApiId, Resource } from '@libs/http';

/** The name of a user or resource at the time of the event. */
export class AuditNameView {
  @ApiProperty({
    type: 'integer',
    format: 'int64',
    description: 'Id of the user or resource. 0 for the operator of the installation.',
  })
  id: number;

  /** The name at the time of the event. */
  name: string;
}

/** An audit entry: one event, who caused it, and where (C-26.1). */
@Resource<AuditEntryView>({
  columns: ['id', 'timestamp', 'type', 'author', 'deployment', 'user', 'environment', 'division'],
})
export class AuditEntryView {
  @ApiId('The entry.')
  id: number;

  @ApiProperty({ enum: Object.keys(AUDIT_TYPES), description: 'The type of the event.' })
  type: string;

  /** The same for people. */
  name: string;

  @ApiProperty({
    type: AuditNameView,
    nullable: true,
    description: 'The user who acted. Null for actions of the system.',
  })
  author: AuditNameView | null;

  @ApiProperty({ type: AuditNameView, required: false, description: 'The key that was acted by; absent without one.' })
  api_key?: AuditNameView;

  @ApiProperty({ type: AuditNameView, nullable: true, description: 'The user that was acted on.' })
  user: AuditNameView | null;

  @ApiProperty({ type: AuditNameView, nullable: true, description: 'The division where the event happened.' })
  division: AuditNameView | null;

  @ApiProperty({ type: AuditNameView, nullable: true, description: 'The environment where the event happened.' })
  environment: AuditNameView | null;

  @ApiProperty({ type: AuditNameView, nullable: true, description: 'The deployment that the event is about.' })
  deployment: AuditNameView | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: 'Further members, by the type of the entry.',
  })
  data: object | null;

  @ApiProperty({
    type: 'string',
    format: 'uuid',
    nullable: true,
    description: 'The same for all entries of one request or workflow.',
  })
  correlation_id: string | null;

  /** Time of the event. */
  @ApiTime()
  timestamp: string;
}
