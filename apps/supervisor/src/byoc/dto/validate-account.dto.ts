import { applyDecorators } from '@nestjs/common';
import { CLOUDS, type Cloud } from '@libs/catalog';
import { IsOneOf, IsText, OnlyWhen } from '@libs/http';

const MAXIMUM = 2048;

/** Required for its own cloud, refused for the other. */
const OnlyFor = (cloud: Cloud, description: string): PropertyDecorator =>
  applyDecorators(
    OnlyWhen('cloud', cloud, CLOUDS),
    IsText(MAXIMUM, `For cloud \`${cloud}\`, and only then: ${description}`),
  );

/** An account of a customer, before anything is made in it. How it is spelled is judged like all else about it. */
export class ValidateAccountDto {
  @IsOneOf(CLOUDS, 'The cloud.')
  cloud: Cloud;

  @IsText(64, 'A region of the cloud, as the provider spells it.')
  region: string;

  @OnlyFor('aws', 'the 12 digits of the account.')
  account_id?: string;

  @OnlyFor('aws', 'ARN of the role that the service assumes.')
  identity_arn?: string;

  @OnlyFor('aws', 'the one that byoc/setup gave.')
  external_id?: string;

  @OnlyFor('aws', 'the VPC that nodes would be made in.')
  vpc_id?: string;

  @OnlyFor('gcp', 'the id of the project.')
  project_id?: string;

  @OnlyFor('gcp', 'the service account that the service acts as.')
  service_account_email?: string;

  @OnlyFor('gcp', 'the VPC network that nodes would be made in.')
  vpc_name?: string;
}
