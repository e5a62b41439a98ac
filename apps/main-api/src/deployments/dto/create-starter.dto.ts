import { CLOUDS, type Cloud } from '@libs/catalog';
import { Example, IsId, IsName, IsOneOf, Optional } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';

/** A new Free deployment: one node on shared infrastructure. */
@Example<CreateStarterDto>({
  cloud: 'aws',
  region: 'us-east-1',
  environment_name: 'sandbox',
  deployment_name: 'first steps',
})
export class CreateStarterDto {
  @IsOneOf(CLOUDS, 'The cloud.')
  cloud: Cloud;

  @ApiProperty({ description: 'A region of the cloud.' })
  @IsString()
  @MaxLength(64)
  region: string;

  @Optional()
  @IsId('An existing environment of the division.')
  environment_id?: number;

  @Optional()
  @IsName('Name of an environment. A missing environment is created. Default `sandbox`.')
  environment_name?: string;

  @Optional()
  @IsName('Name of the deployment; made up when left out.')
  deployment_name?: string;
}
