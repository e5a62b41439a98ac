import { ApiNullableText, ApiNullableTime } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

/** Why the audit differs from its sealed state. */
export const BREAK_REASONS = [
  'seal_missing',
  'seal_changed',
  'chain_broken',
  'entries_missing',
  'entries_added',
  'entries_changed',
  'entry_unknown',
  'seal_differs',
] as const;
export type BreakReason = (typeof BREAK_REASONS)[number];

/** The first difference between the audit and its sealed state. */
export class AuditBreakView {
  @ApiProperty({
    type: 'integer',
    format: 'int64',
    description: 'Number of the seal; one above the last for what is newer.',
  })
  sequence: number;

  @ApiProperty({
    enum: [...BREAK_REASONS],
    description:
      'Why the chain is broken: a seal is missing, does not match its own hash or the seal before it, or differs from the seal that you kept; or entries are missing, duplicated, changed or were never recorded.',
  })
  reason: BreakReason;
}

/** The result of a verification of the whole audit of a tenant. */
export class AuditVerificationView {
  /** True when every seal and every sealed entry is unchanged. */
  valid: boolean;

  @ApiProperty({ type: 'integer', format: 'int64', description: 'Number of the last seal; 0 for none.' })
  sealed_up_to: number;

  @ApiNullableTime('Time at which the last seal was made.')
  sealed_at: string | null;

  @ApiNullableText(
    'Hash of the last seal, in hexadecimal. Keep this hash outside the installation: with it you can verify later that no earlier entry was rewritten.',
  )
  seal_hash: string | null;

  @ApiProperty({ type: 'integer', description: 'Entries that wait for their seal; seconds, as a rule.' })
  unsealed: number;

  @ApiProperty({
    type: AuditBreakView,
    required: false,
    description: 'The first entry or seal that is not valid. Present only when `valid` is false.',
  })
  first_break?: AuditBreakView;
}
