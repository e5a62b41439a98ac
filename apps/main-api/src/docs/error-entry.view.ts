import { Resource } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

/** An entry of the catalog of errors. */
@Resource<ErrorEntryView>({ columns: ['code', 'status', 'title', 'retryable', 'remedy'] })
export class ErrorEntryView {
  /** Stable, machine-readable. */
  code: string;

  @ApiProperty({ type: 'integer', description: 'HTTP status of the answer.' })
  status: number;

  /** Short summary. */
  title: string;

  @ApiProperty({
    oneOf: [{ type: 'boolean' }, { type: 'string', enum: ['sometimes'] }],
    description:
      'Whether the same request may succeed later. `sometimes`: only if the refusal names the operation in the way.',
  })
  retryable: boolean | 'sometimes';

  /** What the caller can do about the error. */
  remedy: string;
}
