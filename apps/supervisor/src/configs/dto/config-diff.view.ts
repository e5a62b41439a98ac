import type { ChangedKey } from '@libs/broker-config';
import { ApiAnyValue, ApiId } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

const VALUE = 'The value or its default: a number, boolean, text, list or object. Null for none. Secrets are masked.';

/** A key of a configuration with different values in two versions. */
export class ChangedKeyView implements ChangedKey {
  /** Section included. */
  key: string;

  @ApiAnyValue(VALUE)
  from: unknown;

  @ApiAnyValue(VALUE)
  to: unknown;

  /** True for a secret, which is shown as ********. */
  secret: boolean;

  /** True when applying the change restarts the broker, or the connector. */
  restart_required: boolean;
}

/** What saving and applying values would change. */
export class ConfigPreviewView {
  @ApiProperty({ type: [ChangedKeyView], description: 'From the active configuration to the values.' })
  changes: ChangedKeyView[];

  /** True when applying the changes restarts the broker, or the connector. */
  restart_required: boolean;
}

/** The differences between two versions of a configuration. */
export class ConfigDiffView {
  @ApiId('The version that was asked about.')
  config_id: number;

  @ApiId('Id of the version that this version is compared with.')
  against_id: number;

  @ApiProperty({ type: [ChangedKeyView], description: 'From the latter to the former.' })
  changes: ChangedKeyView[];
}
