import { ApiProperty } from '@nestjs/swagger';

/** One step of the instructions for a private connection. */
export class InstructionStepView {
  /** Short title of the step. */
  title: string;

  /** What to do, where to do it, and how to see that the step is done. */
  description: string;

  @ApiProperty({ type: 'string', required: false, description: 'Shell command. Absent for a step without a command.' })
  command?: string;
}

/** Instructions for a private connection: the next steps of the reader, by the status of the connection (C-22.3). */
export class InstructionsView {
  /** The status that they are for. */
  status: string;

  /** The current situation, in one or two sentences. */
  summary: string;

  @ApiProperty({ type: [InstructionStepView], description: 'Steps in their order. Empty when nothing is left to do.' })
  steps: InstructionStepView[];

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Every id that you type in these steps, by name.',
  })
  values: Record<string, string>;
}
