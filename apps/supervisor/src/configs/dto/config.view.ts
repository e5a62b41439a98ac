import { ApiNullableInteger, ApiTime, ApiId, Resource } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

/** A version of a configuration (C-16.1). */
@Resource<ConfigView>({
  columns: ['id', 'name', 'version', 'primary', 'author_id', 'created_at', 'restart_required', 'runtime_version'],
})
export class ConfigView {
  @ApiId('The version.')
  id: number;

  /** `broker`, or `connector:{type}:{key}`. */
  kind: string;

  name: string;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'From 1 within the name; never given twice.' })
  version: number;

  /** True for the active version of the broker, or of the connector instance. */
  primary: boolean;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'Values by section, as they were saved. Secrets are shown as ********.',
  })
  values: Record<string, unknown>;

  /** The broker release that validated the configuration. */
  runtime_version: string;

  /** True when another broker release is installed now. */
  runtime_outdated: boolean;

  /** True when applying the configuration restarts the broker, or the connector. */
  restart_required: boolean;

  @ApiNullableInteger('The user who saved the configuration.')
  author_id: number | null;

  @ApiTime()
  created_at: string;
}
