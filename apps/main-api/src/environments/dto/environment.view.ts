import { ApiTime, ApiId } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

/** An environment: a group of deployments of one division (C-8.7). */
export class EnvironmentView {
  @ApiId('The environment.')
  id: number;

  name: string;

  /** Null for none. */
  description: string | null;

  /** True: deletion needs a one-time code. */
  protected: boolean;

  @ApiProperty({
    type: 'integer',
    description: 'Number of deployments in the environment, including those that are being deleted.',
  })
  deployments_count: number;

  @ApiTime()
  created_at: string;

  @ApiTime()
  updated_at: string;
}
