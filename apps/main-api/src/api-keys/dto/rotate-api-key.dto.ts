import { Example, IsOverlap } from '@libs/http';

/** The options of the rotation of an API key. */
@Example<RotateApiKeyDto>({ overlap_seconds: 3600 })
export class RotateApiKeyDto {
  @IsOverlap(0, 'Seconds for which the old secret also works.')
  overlap_seconds?: number;
}
