import { ApiProperty } from '@nestjs/swagger';

/** Why the audit is not what was sealed. */
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

/** The first place where the audit is not what was sealed. */
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
      'A seal is gone, does not fit its own hash, or not the seal before it; sealed entries are gone, doubled or changed; an entry was never recorded; or the seal is not the one that you kept.',
  })
  reason: BreakReason;
}

/** What a verification of the whole audit of a tenant found. */
export class AuditVerificationView {
  /** Whether every seal and every sealed entry is as it was. */
  valid: boolean;

  @ApiProperty({ type: 'integer', format: 'int64', description: 'Number of the last seal; 0 for none.' })
  sealed_up_to: number;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, description: 'When it was made.' })
  sealed_at: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Its hash, in hex. Keep it elsewhere: it proves later that nothing up to here was rewritten.',
  })
  seal_hash: string | null;

  @ApiProperty({ type: 'integer', description: 'Entries that wait for their seal; seconds, as a rule.' })
  unsealed: number;

  @ApiProperty({ type: AuditBreakView, required: false, description: 'Present when it is not valid.' })
  first_break?: AuditBreakView;
}
