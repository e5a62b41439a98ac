import { Example, IsFlag, IsNameOfMember, IsOneOf, IsSpelled, Optional } from '@libs/http';
import { ApiProperty, OmitType } from '@nestjs/swagger';
import { IsObject } from 'class-validator';

/** Maximum size of a body in KiB. The values of all sections fit. */
export const CONFIG_KIB = 1024;

/** The name is part of paths without escaping. */
const NAME = {
  pattern: /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/,
  reason: 'must be 1 to 64 letters, digits and _ . -, beginning with a letter or digit',
};

/** A new version of the configuration of an activated connector (C-18.5). */
@Example<CreateConnectorConfigDto>({ name: 'orders', values: {} })
export class CreateConnectorConfigDto {
  @Optional()
  @IsNameOfMember()
  @IsSpelled(NAME, 'Key of the activated instance. A name that exists gets another version.')
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

/** A new version of the configuration of the broker (C-16.5). */
@Example<CreateConfigDto>({ values: { mqtt: { max_connections: 500 } }, activate: true })
export class CreateConfigDto extends OmitType(CreateConnectorConfigDto, ['name'] as const) {
  @Optional()
  @IsOneOf(['broker'], 'Name of the configuration: always `broker`. The configuration gets another version.')
  name?: string;
}

/** Values that are validated and not saved, for an activated connector. */
@Example<PreviewConnectorConfigDto>({ name: 'orders', values: {} })
export class PreviewConnectorConfigDto extends OmitType(CreateConnectorConfigDto, ['activate'] as const) {}

/** Values that are validated and not saved, for the broker. */
@Example<PreviewConfigDto>({ values: { mqtt: { max_connections: 500 } } })
export class PreviewConfigDto extends OmitType(CreateConfigDto, ['activate'] as const) {}
