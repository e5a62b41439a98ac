import { ApiNullableText, ApiTime } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

/**
 * Data of one Server-Sent Event; its name is `step` (a step begins), `waiting` (for something new), `retry` (after an
 * error), `incident` (an operator is needed) or `ended`.
 */
export class OperationEventView {
  /** Step that the operation stood in. */
  step: string;

  @ApiProperty({
    enum: ['pending', 'running', 'succeeded', 'failed', 'cancelled'],
    description: 'Status of the operation or step at the time of the event.',
  })
  status: string;

  /** Attempts of the step that had ended in an error. */
  @ApiProperty({ type: 'integer' })
  attempt: number;

  /** What the operation waits for, what failed, or why the operation ended. */
  @ApiNullableText()
  detail: string | null;

  /** Time of the event. */
  @ApiTime()
  at: string;
}
