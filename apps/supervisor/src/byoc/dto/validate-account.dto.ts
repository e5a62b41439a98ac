import { applyDecorators } from '@nestjs/common';
import { CLOUDS, type Cloud } from '@libs/catalog';
import { Example, IsOneOf, IsText, OnlyWhen } from '@libs/http';

const MAXIMUM = 2048;

/** Required for its own cloud, refused for the other clouds. */
const OnlyFor = (cloud: Cloud, description: string): PropertyDecorator =>
  applyDecorators(
    OnlyWhen('cloud', cloud, CLOUDS),
    IsText(MAXIMUM, `Required for cloud \`${cloud}\`, refused for other clouds: ${description}`),
  );

/** An account of a customer, before anything is created in it. The provider checks the formats together with the account. */
@Example<ValidateAccountDto>({
  cloud: 'aws',
  region: 'us-east-1',
  account_id: '123456789012',
  identity_arn: 'arn:aws:iam::123456789012:role/landlord',
  external_id: 'landlord-7f3c1b',
  vpc_id: 'vpc-0123456789abcdef0',
})
export class ValidateAccountDto {
  @IsOneOf(CLOUDS, 'The cloud.')
  cloud: Cloud;

  @IsText(64, 'A region of the cloud, with the name that the provider uses.')
  region: string;

  @OnlyFor('aws', 'the 12 digits of the account.')
  account_id?: string;

  @OnlyFor('aws', 'ARN of the role that the service assumes.')
  identity_arn?: string;

  @OnlyFor('aws', 'the external id that byoc/setup returned.')
  external_id?: string;

  @OnlyFor('aws', 'the VPC for the nodes.')
  vpc_id?: string;

  @OnlyFor('gcp', 'the id of the project.')
  project_id?: string;

  @OnlyFor('gcp', 'the service account that the service impersonates.')
  service_account_email?: string;

  @OnlyFor('gcp', 'the VPC network for the nodes.')
  vpc_name?: string;
}
