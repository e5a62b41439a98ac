import { AWS_FORMATS } from '@libs/domain';
import { ClearableText, Example, IsFlag, IsName, IsSpelledList, IsText, Optional } from '@libs/http';

const MOST_PRINCIPALS = 100;

/** A new endpoint service on AWS, for interface endpoints in other VPCs. */
@Example<CreateEndpointServiceDto>({
  name: 'to the shop',
  acceptance_required: true,
  allowed_principals: ['arn:aws:iam::123456789012:root'],
})
export class CreateEndpointServiceDto {
  @IsName('Unique among the endpoint services of the deployment, in any case of letters.')
  name: string;

  @Optional()
  @IsFlag('True: you accept each endpoint before it connects. Default true.')
  acceptance_required?: boolean;

  @Optional()
  @IsSpelledList(
    AWS_FORMATS.principal,
    MOST_PRINCIPALS,
    'Principals who may request an endpoint. Empty: every account.',
  )
  allowed_principals?: string[];

  @ClearableText()
  @IsText(500, 'Anything you want to remember.')
  remarks?: string | null;
}
