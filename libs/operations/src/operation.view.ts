import { OPERATION_STATUSES, OPERATIONS } from '@libs/domain';
import { ApiNullableInteger, ApiNullableText, ApiNullableTime, ApiTime, ApiId, Resource } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

/** One step of an operation, finished or current. */
export class OperationStepView {
  /** Name of the step. */
  name: string;

  @ApiProperty({
    enum: ['running', 'waiting', 'succeeded', 'failed', 'cancelled', 'undone', 'skipped'],
    description: 'Current status.',
  })
  status: string;

  /** Number of attempts of the step. */
  @ApiProperty({ type: 'integer' })
  attempts: number;

  /** Time of the first attempt. Null before the first attempt. */
  @ApiNullableTime()
  started_at: string | null;

  /** Time at which the step ended. Null until then. */
  @ApiNullableTime()
  finished_at: string | null;

  /** The last error, in words; null when there was none. */
  @ApiNullableText()
  error: string | null;
}

/** An incident: a step missed its deadline, and an operator is needed. */
export class IncidentView {
  @ApiId('The incident.')
  id: number;

  /** The kind of the incident. */
  kind: string;

  /** Details of the incident. */
  detail: string;

  /** Time at which the incident was opened. */
  @ApiTime()
  opened_at: string;
}

/** An operation: accepted long work, its steps, and what the operation waits for. */
@Resource<OperationView>({
  id: 'operation_id',
  columns: ['id', 'type', 'status', 'deployment_id', 'progress', 'created_at', 'finished_at', 'reason'],
})
export class OperationView {
  @ApiId('The operation.')
  id: number;

  @ApiProperty({ enum: Object.keys(OPERATIONS), description: 'The type of the operation.' })
  type: string;

  @ApiProperty({ enum: [...OPERATION_STATUSES], description: 'Current status.' })
  status: string;

  @ApiNullableInteger('The deployment of the operation.')
  deployment_id: number | null;

  @ApiProperty({
    type: [OperationStepView],
    description: 'The steps so far, oldest first; the last one is the current.',
  })
  steps: OperationStepView[];

  @ApiProperty({ type: 'integer', minimum: 0, maximum: 100, description: 'Per cent, by steps.' })
  progress: number;

  /** What the operation waits for, or why it failed. */
  @ApiNullableText()
  reason: string | null;

  @ApiProperty({ type: IncidentView, nullable: true, description: 'A missed deadline, or null.' })
  incident: IncidentView | null;

  @ApiNullableInteger('The user that requested the operation.')
  author_id: number | null;

  @ApiTime()
  created_at: string;

  /** Time at which the first step started. Null until then. */
  @ApiNullableTime()
  started_at: string | null;

  /** Time at which the operation ended. Null until then. */
  @ApiNullableTime()
  finished_at: string | null;

  @ApiNullableTime('Time of the next attempt.')
  next_attempt_at: string | null;
}
