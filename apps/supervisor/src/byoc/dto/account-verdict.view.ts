import { ApiProperty } from '@nestjs/swagger';

/** Whether an account can have deployments (C-13.4). */
export class AccountVerdictView {
  /** True when the service can enter the account and no permission is missing. */
  valid: boolean;

  @ApiProperty({ required: false, description: 'Why the account is not valid. Left out when the account is valid.' })
  error?: string;

  @ApiProperty({ type: [String], description: 'Missing permissions, with the names that the provider uses.' })
  missing_permissions: string[];

  @ApiProperty({
    ...{ type: [String], required: false },
    description: 'What the provider has no question for, in words for people. Left out when everything was checked.',
  })
  not_checked?: string[];
}
