import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ApiKeyId } from '@libs/domain';

/** The time when an API key was last used. */
@Entity('api_key_uses')
export class ApiKeyUse {
  @PrimaryColumn('bigint')
  api_key_id: ApiKeyId;

  @Column('timestamptz')
  last_used_at: Date;
}
