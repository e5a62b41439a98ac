import { ApiProperty } from '@nestjs/swagger';

/** Whether deployments can be made in an account (C-13.4). */
export class AccountVerdictView {
  /** Whether it can be got into, and nothing is missing. */
  valid: boolean;

  @ApiProperty({ required: false, description: 'Why it is not valid, in words; left out when it is.' })
  error?: string;

  @ApiProperty({ type: [String], description: "What is not allowed there, in the provider's own words." })
  missing_permissions: string[];
}
