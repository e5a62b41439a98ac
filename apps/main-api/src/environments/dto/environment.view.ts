import { ApiId } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

/** An environment of a division (C-8.7). */
export class EnvironmentView {
  @ApiId('The environment.')
  id: number;

  name: string;

  description: string;

  /** When true, deletion needs a one-time code. */
  protected: boolean;

  @ApiProperty({ type: 'integer', description: 'Deployments in it, those being deleted included.' })
  deployments_count: number;

  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  updated_at: string;
}
