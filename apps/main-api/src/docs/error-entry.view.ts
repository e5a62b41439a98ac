import { ApiProperty } from '@nestjs/swagger';

/** An entry of the catalog of errors. */
export class ErrorEntryView {
  /** Stable, machine-readable. */
  code: string;

  @ApiProperty({ type: 'integer', description: 'HTTP status of the answer.' })
  status: number;

  /** Short summary. */
  title: string;

  /** True when the same request may succeed later. */
  retryable: boolean;

  /** What the caller can do about the error. */
  remedy: string;
}
