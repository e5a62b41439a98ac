import { Optional } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';

/** A new diagnostic snapshot of a deployment (C-20.4, C-20.5). */
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
