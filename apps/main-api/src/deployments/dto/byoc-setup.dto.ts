import { CLOUDS, type Cloud } from '@libs/catalog';
import { IsOneOf, IsText } from '@libs/http';

/** Where a customer wants to have deployments in an account of their own. */
export class ByocSetupDto {
  @IsOneOf(CLOUDS, 'The cloud.')
  cloud: Cloud;

  @IsText(64, 'A region of the cloud, with the name that the provider uses.')
  region: string;
}
