import { Example, IsFlag, Optional } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

/** A new diagnostic snapshot of a deployment (C-20.4, C-20.5). */
@Example<CreateSnapshotDto>({ redact_secrets: true, include_iggy: false })
export class CreateSnapshotDto {
  @Optional()
  @IsFlag('Masks passwords, keys and tokens before anything leaves a node.')
  @ApiProperty({ default: true })
  redact_secrets?: boolean;

  @Optional()
  @IsFlag("Adds the state of each broker's data directory as a separate ZIP.")
  @ApiProperty({ default: true })
  include_iggy?: boolean;
}
