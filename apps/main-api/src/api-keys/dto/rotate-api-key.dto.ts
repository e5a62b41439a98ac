import { IsOverlap } from '@libs/http';

/** How a secret is replaced. */
export class RotateApiKeyDto {
  @IsOverlap(0, 'Seconds for which the old secret also works.')
  overlap_seconds?: number;
}
