import { CLOUDS, type Cloud } from '@libs/catalog';
import { Example, IsOneOf, IsText } from '@libs/http';

/** The cloud and the region of deployments in the customer's own account. */
@Example<ByocSetupDto>({ cloud: 'aws', region: 'us-east-1' })
export class ByocSetupDto {
  @IsOneOf(CLOUDS, 'The cloud.')
  cloud: Cloud;

  @IsText(64, 'A region of the cloud, with the name that the provider uses.')
  region: string;
}
