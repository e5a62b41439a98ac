import type { ChangedKey } from '@libs/broker/schema';
import { ApiId } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';
import { CONFIG_VALUE } from './config-schema.view.js';

const VALUE = {
  anyOf: [...CONFIG_VALUE.anyOf, { type: 'null' }],
  description: 'The value or its default. Null for none. Secrets are masked.',
};

/** A key with different values. */
export class ChangedKeyView implements ChangedKey {
  /** Section included. */
  key: string;

  @ApiProperty(VALUE)
  from: unknown;

  @ApiProperty(VALUE)
  to: unknown;

  secret: boolean;

  restart_required: boolean;
}

/** The differences between two versions. */
export class ConfigDiffView {
  @ApiId('The version that was asked about.')
  config_id: number;

  @ApiId('Id of the version that this version is compared with.')
  against_id: number;

  @ApiProperty({ type: [ChangedKeyView], description: 'From the latter to the former.' })
  changes: ChangedKeyView[];
}
