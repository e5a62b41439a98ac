import { ApiNullableText } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

/** An IAM policy document. Customers pass it to AWS unchanged. */
export class PolicyDocumentView {
  /** Version of the policy language of AWS. */
  Version: string;

  /** Statements of the policy, in the format of AWS IAM. */
  @ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true } })
  Statement: object[];
}

/** One step in the customer's project. */
export class ByocStepView {
  /** Heading of the step. */
  title: string;

  description: string;

  @ApiProperty({ type: 'string', description: 'Shell command. Run the commands of the earlier steps first.' })
  command: string;
}

/** A role in the customer's project for its service account. */
export class ByocRoleView {
  /** Id of the role in the project. */
  role: string;

  /** Display name of the role. */
  title: string;

  /** IAM permissions of the role. */
  @ApiProperty({ type: [String] })
  permissions: string[];

  @ApiNullableText('IAM condition that limits the role. Null for none.')
  condition: string | null;
}

/** The setup of a customer's account that Landlord needs (C-13.2). */
export class ByocSetupView {
  @ApiProperty({ required: false, description: 'AWS: account of the service, which assumes the role.' })
  service_org_id?: string;

  @ApiProperty({ description: "The tenant's own; always the same. Landlord enters nothing that names another one." })
  external_id: string;

  @ApiProperty({ type: PolicyDocumentView, required: false, description: "AWS: the role's trust policy." })
  trust_policy?: PolicyDocumentView;

  @ApiProperty({ type: PolicyDocumentView, required: false, description: 'AWS: what the role may do.' })
  permissions_policy?: PolicyDocumentView;

  @ApiProperty({
    required: false,
    description: 'GCP: service account of the service, which acts as the one of the customer.',
  })
  service_account_email?: string;

  @ApiProperty({ type: [ByocRoleView], required: false, description: 'GCP: what the service account may do.' })
  roles?: ByocRoleView[];

  @ApiProperty({ type: [ByocStepView], required: false, description: 'GCP: what to do, in this order.' })
  steps?: ByocStepView[];
}
