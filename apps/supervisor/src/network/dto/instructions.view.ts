import { ApiProperty } from '@nestjs/swagger';

/** One thing to do. */
export class InstructionStepView {
  /** In a few words. */
  title: string;

  /** What to do, where, and how one sees that it is done. */
  description: string;

  @ApiProperty({ type: 'string', required: false, description: 'For a shell; absent where there is none.' })
  command?: string;
}

/** What whoever reads it has to do now, by the status of the connection (C-22.3). */
export class InstructionsView {
  /** The status that they are for. */
  status: string;

  /** How things stand, in a sentence or two. */
  summary: string;

  @ApiProperty({ type: [InstructionStepView], description: 'In their order; none when there is nothing to do.' })
  steps: InstructionStepView[];

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Every id that has to be typed, by its name.',
  })
  values: Record<string, string>;
}
