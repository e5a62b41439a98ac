import { TASK_TYPES } from '@libs/domain';
import { ApiNullableInteger, ApiNullableTime, ApiTime, ApiId, Resource } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

export const TASK_STATUSES = ['pending', 'processing', 'completed', 'rejected'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** The result of a task on one node. */
export class TaskNodeView {
  @ApiId('The node.')
  node_id: number;

  /** `processing`: not finished. `completed`: done. `rejected`: failed, as `error` explains. */
  @ApiProperty({ enum: ['processing', 'completed', 'rejected'] })
  status: string;

  @ApiProperty({ type: 'string', required: false, description: 'Why the runtime rejected the task.' })
  error?: string;
}

/** A task that applies the active configuration on nodes (C-17.2). */
@Resource<TaskView>({ columns: ['id', 'type', 'status', 'config_id', 'author_id', 'created_at', 'finished_at'] })
export class TaskView {
  @ApiId('The task.')
  id: number;

  /** The runtime that the task is for, and what the task does. */
  @ApiProperty({ enum: [...TASK_TYPES] })
  type: string;

  /** Status of the task over all nodes. */
  @ApiProperty({ enum: [...TASK_STATUSES] })
  status: TaskStatus;

  @ApiNullableInteger('The configuration that is applied.')
  config_id: number | null;

  /** The result on each node. */
  @ApiProperty({ type: [TaskNodeView] })
  nodes: TaskNodeView[];

  @ApiNullableInteger('The user who requested the action.')
  author_id: number | null;

  @ApiTime()
  created_at: string;

  /** Time at which the task ended. Null until then. */
  @ApiNullableTime()
  finished_at: string | null;
}
