import { ApiTime, ApiId, Resource } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

/** An environment: a group of deployments of one division (C-8.7). */
@Resource<EnvironmentView>({
  id: 'environment_id',
  namedBy: 'name',
  columns: ['id', 'name', 'deployments_count', 'protected', 'created_at', 'description'],
})
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
