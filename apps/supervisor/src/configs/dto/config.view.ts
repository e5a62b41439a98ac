import { ApiId } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

/** A version of a configuration (C-16.1). */
export class ConfigView {
  @ApiId('The version.')
  id: number;

  /** `broker`, or `connector:{type}:{key}`. */
  kind: string;

  name: string;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'From 1 within the name; never given twice.' })
  version: number;

  /** Whether it is the active one of the broker, or of the instance of a connector. */
  primary: boolean;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'By section, or those of a connector, as they were saved; secrets read ********.',
  })
  values: Record<string, unknown>;

  /** The release used to validate it. */
  runtime_version: string;

  /** Whether the installed release is another. */
  runtime_outdated: boolean;

  /** Whether applying it restarts the broker of a node, or the connector. */
  restart_required: boolean;

  @ApiProperty({ type: 'integer', format: 'int64', nullable: true, description: 'Who saved it.' })
  author_id: number | null;

  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at: string;
}
