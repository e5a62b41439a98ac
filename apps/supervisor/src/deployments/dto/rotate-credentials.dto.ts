import { Example, IsOverlap } from '@libs/http';

export const DEFAULT_OVERLAP_SECONDS = 300;
const MAX_OVERLAP_SECONDS = 3_600;

/** The options of the rotation of the client credentials (C-21.2). */
@Example<RotateCredentialsDto>({ overlap_seconds: 300 })
export class RotateCredentialsDto {
  @IsOverlap(
    DEFAULT_OVERLAP_SECONDS,
    'Seconds for which the old password also works on every node. Connections that use the old password are closed after this time.',
    MAX_OVERLAP_SECONDS,
  )
  overlap_seconds?: number;
}
