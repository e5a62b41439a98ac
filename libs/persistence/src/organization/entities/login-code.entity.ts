import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ApiKeyId } from '@libs/domain';

/** A code that hands a new API key to a command line once. */
@Entity('login_codes')
export class LoginCode {
  @PrimaryColumn('bigint')
  api_key_id: ApiKeyId;

  @Column('bytea')
  code_hash: Buffer;

  /** SHA-256 of the secret of the command line (PKCE), in base64url. */
  @Column('text')
  code_challenge: string;

  @Column('text')
  redirect_uri: string;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;

  @Column('timestamptz')
  expires_at: Date;
}
