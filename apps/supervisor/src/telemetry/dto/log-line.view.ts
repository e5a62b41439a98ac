import { LOG_LEVELS, LOG_RUNTIMES } from '@libs/domain';
import { ApiTime, ApiId, Resource } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

/** One line from a process of a node. */
@Resource<LogLineView>({ columns: ['at', 'level', 'node_id', 'runtime', 'message'] })
export class LogLineView {
  @ApiId('The line; grows in the order in which lines arrive.')
  id: number;

  @ApiId('The node.')
  node_id: number;

  /** Time that the line contains. Without one, the time at which the agent read the line. */
  @ApiTime()
  at: string;

  /** The process that wrote the line. */
  @ApiProperty({ enum: [...LOG_RUNTIMES] })
  runtime: string;

  /** Severity of the line. */
  @ApiProperty({ enum: [...LOG_LEVELS] })
  level: string;

  @ApiProperty({ type: 'string', description: 'Known secrets are masked by ********.' })
  message: string;
}
