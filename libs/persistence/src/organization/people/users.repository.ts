import { Injectable } from '@nestjs/common';
import { canonicalMailbox, type TenantId, type UserId } from '@libs/domain';
import { IsNull, Not } from 'typeorm';
import { statement, Database } from '../../database.js';
import { User as UserEntity } from '../entities/user.entity.js';

/** The values of a new user. The address is stored as typed, and lookups go by its mailbox. */
export interface NewUser {
  email: string;
  name: string;
  passwordHash: string;
}

/** The data of a user that sign-in and mails need. */
export interface User extends Pick<UserEntity, 'id' | 'email' | 'name'> {
  passwordHash: string;
  /** When the password was set, in microseconds. A new hash of the same password does not change it. */
  passwordStamp: number;
  isVerified: boolean;
}

/** The view of a user on the own account, with the tenants of the user. */
export interface Account extends Pick<UserEntity, 'id' | 'email' | 'name' | 'created_at'> {
  verified: boolean;
  tenants: { id: TenantId; name: string; owner: boolean; active: boolean }[];
}

const COLUMNS = `id, email, name, password_hash as "passwordHash", (extract(epoch from password_changed_at) * 1000000)::bigint as "passwordStamp",
  email_verified_at is not null as "isVerified"`;

const INSERT = statement(
  'user.insert',
  `insert into users (email, name, password_hash, email_canonical) select $1, $2, $3, $4
    where not exists (select 1 from users where email_canonical = $4) on conflict do nothing returning id`,
);
// An earlier release made two accounts for two spellings of one mailbox. Each spelling, in any case of letters, still leads to its own
// account, and a third spelling leads to none.
const FIND_BY_EMAIL = statement(
  'user.by_email',
  `select ${COLUMNS} from (select *, count(*) over () as accounts from users where email_canonical = $2 or lower(email) = lower($1)) u
    where accounts = 1 or lower(email) = lower($1) order by email = $1 desc, lower(email) = lower($1) desc limit 1`,
);
const FIND = statement('user.find', `select ${COLUMNS} from users where id = $1`);
const LOCK = statement('user.lock', `select ${COLUMNS} from users where id = $1 for no key update`);
const ACCOUNT = statement(
  'user.account',
  `select u.id, u.email, u.name, u.email_verified_at is not null as verified, u.created_at,
          coalesce((select jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name, 'owner', t.owner_id = u.id,
                                                        'active', m.active) order by t.id)
                      from members m join tenants t on t.id = m.tenant_id and t.deleted_at is null
                     where m.user_id = u.id), '[]') as tenants
     from users u where u.id = $1`,
);
// Open streams of the user are authorized again: a token of the console does not outlive the password.
const SET_PASSWORD = statement(
  'user.set_password',
  `update users set password_hash = $2, password_changed_at = now(), updated_at = now() where id = $1
   returning pg_notify('landlord_access', 'user ' || id)`,
);

/** Users that can sign in. */
@Injectable()
export class UsersRepository {
  constructor(private readonly database: Database) {}

  /**
   * Returns the id, or null when the mailbox already has an account, in any spelling. Waits for a concurrent sign-up with
   * the same address.
   */
  async insert({ email, name, passwordHash }: NewUser): Promise<UserId | null> {
    return (
      (await this.database.first<{ id: UserId }>(INSERT, [...[email, name, passwordHash, canonicalMailbox(email)]]))
        ?.id ?? null
    );
  }

  async findByEmail(email: string): Promise<User | null> {
    return this.database.first<User>(FIND_BY_EMAIL, [email, canonicalMailbox(email)]);
  }

  async find(id: UserId): Promise<User | null> {
    return this.database.first<User>(FIND, [id]);
  }

  /** Reads the user and locks it until the transaction ends. */
  async findForUpdate(id: UserId): Promise<User | null> {
    return this.database.first<User>(LOCK, [id]);
  }

  async account(id: UserId): Promise<Account | null> {
    return this.database.first<Account>(ACCOUNT, [id]);
  }

  async rename(id: UserId, name: string): Promise<void> {
    const changes = { name, updated_at: () => 'now()' };
    await this.database.repository(UserEntity).update({ id, name: Not(name) }, changes);
  }

  async setPassword(id: UserId, passwordHash: string): Promise<void> {
    await this.database.execute(SET_PASSWORD, [id, passwordHash]);
  }

  /** Stores a new hash of the same password with another cost. */
  async rehash(id: UserId, passwordHash: string): Promise<void> {
    await this.database.repository(UserEntity).update({ id }, { password_hash: passwordHash });
  }

  /** Marks the address as verified. Returns false when it was already verified. */
  async verify(id: UserId): Promise<boolean> {
    const changes = { email_verified_at: () => 'now()', updated_at: () => 'now()' };
    const { affected } = await this.database
      .repository(UserEntity)
      .update({ id, email_verified_at: IsNull() }, changes);
    return affected === 1;
  }
}
