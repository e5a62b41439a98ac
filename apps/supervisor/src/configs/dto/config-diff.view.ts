import type { ChangedKey } from '@libs/broker/schema';
import { ApiId } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

const ANY = { nullable: true, description: 'Its value, default counted in; of a secret the mask.' };

/** A key that differs. */
export class ChangedKeyView implements ChangedKey {
  /** Section included. */
  key: string;

  @ApiProperty(ANY)
  from: unknown;

  @ApiProperty(ANY)
  to: unknown;

  secret: boolean;

  restart_required: boolean;
}

/** What is different between two versions. */
export class ConfigDiffView {
  @ApiId('The version that was asked about.')
  config_id: number;

  @ApiId('What it is compared with.')
  against_id: number;

  @ApiProperty({ type: [ChangedKeyView], description: 'From the latter to the former.' })
  changes: ChangedKeyView[];
}
