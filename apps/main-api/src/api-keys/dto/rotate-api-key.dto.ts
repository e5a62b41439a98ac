import { IsOverlap } from '@libs/http';

/** How a secret is replaced. */
export class RotateApiKeyDto {
  @IsOverlap(0, 'Seconds in which the secret until now works as well.')
  overlap_seconds?: number;
}
