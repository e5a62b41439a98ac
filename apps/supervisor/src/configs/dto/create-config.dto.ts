import { IsFlag, IsSpelled, Optional } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';
import { IsObject } from 'class-validator';

/** The name is part of paths without escaping. */
const NAME = {
  pattern: /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/,
  reason: 'must be 1 to 64 letters, digits and _ . -, beginning with a letter or digit',
};

/** Maximum size of a body in KiB. The values of all sections fit. */
export const CONFIG_KIB = 1024;

/** A new version of a configuration (C-16.5). */
export class CreateConfigDto {
  @Optional()
  @IsSpelled(NAME, 'Name of the configuration. Default: broker. A name that exists gets another version.')
  name?: string;

  @IsObject()
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'Values by section of the schema. A key that is left out has its default.',
  })
  values: Record<string, unknown>;

  @Optional()
  @IsFlag('True: the new version becomes the active one at once. Default false.')
  activate?: boolean;
}
