import { Optional } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';

/** `POST …/snapshots` (spec, "Diagnostic snapshots"). */
export class CreateSnapshotDto {
  @Optional()
  @IsBoolean()
  @ApiProperty({
    type: 'boolean',
    required: false,
    default: true,
    description: 'Masks passwords, keys and tokens before anything leaves a node.',
  })
  redact_secrets?: boolean;

  @Optional()
  @IsBoolean()
  @ApiProperty({
    type: 'boolean',
    required: false,
    default: true,
    description: "Adds the state of each broker's data directory as a separate ZIP.",
  })
  include_iggy?: boolean;
}
