import { Example, IsOverlap } from '@libs/http';

export const DEFAULT_OVERLAP_SECONDS = 86_400;

/** The options of the rotation of a signing secret. */
@Example<RotateSecretDto>({ overlap_seconds: 3600 })
export class RotateSecretDto {
  @IsOverlap(DEFAULT_OVERLAP_SECONDS, 'Seconds for which deliveries carry the signatures of both secrets.')
  overlap_seconds?: number;
}
