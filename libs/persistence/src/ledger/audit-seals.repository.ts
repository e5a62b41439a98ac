import { Injectable } from '@nestjs/common';
import type { TenantId } from '@libs/domain';
import { statement, Database } from '../database.js';
import { LEAF_HASH, NO_SEAL, ROOT_HASH, SEAL_HASH } from './audit-hashes.js';
import type { AuditSeal } from './entities/audit-seal.entity.js';

/** A seal, compared with the entries that it covers. */
export interface SealCheck extends Pick<AuditSeal, 'sequence' | 'count'> {
  /** Hexadecimal, like all hashes in this file. */
  hash: string;
  previous_hash: string;
  /** Whether the stored hash matches the current row. */
  is_own: boolean;
  /** Number of sealed entries that still exist. */
  found: number;
  /** Whether the existing entries match the sealed root hash. */
  is_root: boolean;
  /** The partition was dropped after its retention. */
  is_dropped: boolean;
}

export interface LastSeal extends Pick<AuditSeal, 'sequence' | 'sealed_at'> {
  hash: string;
}

/** Limits for one round of sealing. A round is one statement and must take seconds, not minutes. */
const TENANTS_A_ROUND = 20;
const ENTRIES_A_SEAL = 1000;
const SEALS_A_WINDOW = 100;
const ENTRIES_A_WINDOW = 20_000;

/**
 * Settings of the transaction. PostgreSQL keeps the plans of prepared statements. A plan for an empty partition or queue would
 * scan the full table for each entry later, until an ANALYZE runs. For the same reason rows are deleted from the queue by their
 * ctid.
 */
const ALWAYS_BY_INDEX = `set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`;
const ONE_SEALER = statement(
  'audit_seal.one_sealer',
  `select pg_try_advisory_xact_lock(hashtext('landlord.audit_seal')) as is_granted, ${ALWAYS_BY_INDEX}`,
);
/**
 * Entries come from a queue, never from a cursor over ids or times. An id is assigned at the insert and becomes visible at the
 * commit, so a smaller id can appear after a larger one was sealed. One round takes at most one batch per tenant, from one
 * partition, so that a seal and its entries are always dropped together. An entry that was deleted while it waited is sealed by
 * its id alone, and every verification reports it as missing. Division 0 of the counters stands for the whole tenant.
 */
const SEAL = statement(
  'audit_seal.round',
  `with recursive tenant (id) as (
     (select tenant_id from audit_unsealed order by tenant_id limit 1)
     union all
     select (select u.tenant_id from audit_unsealed u where u.tenant_id > t.id order by u.tenant_id limit 1)
       from tenant t where t.id is not null
   ), waiting as materialized (
     select u.*, date_trunc('month', u.created_at at time zone 'utc')::date as month
       from (select id from tenant where id is not null limit ${TENANTS_A_ROUND}) t
      cross join lateral (
        select ctid as row, * from audit_unsealed u where u.tenant_id = t.id order by u.id limit ${ENTRIES_A_SEAL}
           for update skip locked) u
   ), first as (
     select distinct on (tenant_id) tenant_id, retention_class, month from waiting order by tenant_id, id
   ), taken as materialized (
     select w.*, e.leaf from waiting w join first using (tenant_id, retention_class, month)
       left join lateral (
         select ${LEAF_HASH} as leaf from audit_entries e
          where e.retention_class = w.retention_class and e.created_at = w.created_at and e.id = w.id
            and e.tenant_id = w.tenant_id) e on true
   ), gone as (
     delete from audit_unsealed where ctid = any (array(select row from taken))
   ), counted as (
     insert into audit_counters as c (tenant_id, division_id, day, type, retention_class, entries)
     select tenant_id, counter.division_id, (created_at at time zone 'utc')::date, type, retention_class, count(*)
       from taken cross join lateral (values (0), (taken.division_id)) counter (division_id)
      where leaf is not null and counter.division_id is not null group by 1, 2, 3, 4, 5
     on conflict (tenant_id, division_id, day, type, retention_class) do update set entries = c.entries + excluded.entries
   ), batch as (
     select tenant_id, retention_class, month, min(created_at) as first_at, max(created_at) as last_at,
            array_agg(id order by id) as entry_ids, count(*)::int as count, ${ROOT_HASH} as root_hash, now() as sealed_at
       from taken group by 1, 2, 3
   ), chained as (
     select b.*, coalesce(l.sequence, 0) + 1 as sequence, coalesce(l.hash, ${NO_SEAL}) as previous_hash
       from batch b left join lateral (
         select sequence, hash from audit_seals where tenant_id = b.tenant_id order by sequence desc limit 1) l on true
   ), sealed as (
     insert into audit_seals (tenant_id, sequence, retention_class, month, first_at, last_at, entry_ids, count, root_hash,
                              previous_hash, hash, sealed_at)
     select tenant_id, sequence, retention_class, month, first_at, last_at, entry_ids, count, root_hash,
            previous_hash, ${SEAL_HASH}, sealed_at from chained s
   )
   select coalesce(sum(count), 0)::int as count from batch`,
);
const SNAPSHOT = statement('audit_seal.snapshot', 'set transaction isolation level repeatable read, read only');
/** The planner does not know the length of an id array. It expects few ids and would choose a nested loop. */
const ONE_VERIFIER = statement(
  'audit_seal.one_verifier',
  `select pg_try_advisory_xact_lock(hashtext('landlord.audit_verify'), hashint8($1)) as is_granted, ${ALWAYS_BY_INDEX},
          set_config('enable_nestloop', 'off', true)`,
);
const LAST = statement(
  'audit_seal.last',
  `select sequence, encode(hash, 'hex') as hash, sealed_at from audit_seals
    where tenant_id = $1 order by sequence desc limit 1`,
);
const WAITING = statement(
  'audit_seal.waiting',
  'select count(*)::int as count from audit_unsealed where tenant_id = $1',
);
const WINDOW = statement(
  'audit_seal.window',
  `select s.sequence, encode(s.hash, 'hex') as hash, encode(s.previous_hash, 'hex') as previous_hash,
          s.hash = ${SEAL_HASH} as is_own, s.count, f.found, f.root = s.root_hash as is_root,
          (s.month + interval '1 month') at time zone 'utc' <= now() - make_interval(days => s.retention_class)
            and to_regclass('audit_entries_' || s.retention_class || to_char(s.month, '_YYYY_MM')) is null as is_dropped
     from (select * from audit_seals where tenant_id = $1 and sequence > $2 order by sequence limit ${SEALS_A_WINDOW}) s
    cross join lateral (
      select count(*)::int as found, ${ROOT_HASH} as root from (
        select e.id, ${LEAF_HASH} as leaf from audit_entries e
         where e.tenant_id = s.tenant_id and e.retention_class = s.retention_class
           and e.created_at between s.first_at and s.last_at and e.id in (select unnest(s.entry_ids))) sealed) f
    order by s.sequence`,
);
/** The next entries in the order of time, and the first of them that is in no seal and not in the queue. */
const UNKNOWN = statement(
  'audit_seal.unknown',
  `with page as materialized (
     select retention_class, created_at, id from audit_entries
      where tenant_id = $1 and (created_at, id) > ($2::timestamptz, $3::bigint) order by created_at, id limit ${ENTRIES_A_WINDOW}
   ), known as materialized (
     select s.retention_class, k.id, s.first_at, s.last_at
       from audit_seals s cross join lateral unnest(s.entry_ids) k (id)
      where s.tenant_id = $1 and s.first_at <= (select max(created_at) from page) and s.last_at >= (select min(created_at) from page)
     union all
     select retention_class, id, created_at, created_at from audit_unsealed where tenant_id = $1
   ), unknown as (
     select p.created_at from page p
      where not exists (select from known k where k.retention_class = p.retention_class and k.id = p.id
                           and p.created_at between k.first_at and k.last_at)
      order by p.created_at, p.id limit 1
   )
   select (select created_at from unknown)::text as unknown_at, last.created_at::text as moment, last.id
     from (select created_at, id from page order by created_at desc, id desc limit 1) last`,
);
const SEALED_AFTER = statement(
  'audit_seal.sealed_after',
  'select min(sequence) as sequence from audit_seals where tenant_id = $1 and last_at >= $2::timestamptz',
);

/** The chain of seals over the audit of each tenant. */
@Injectable()
export class AuditSealsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Seals and counts waiting entries: at most one batch per tenant, for some tenants. Run it in a transaction, and repeat it
   * until it returns 0. Two concurrent sealers would read the same last seal and append the same number. Therefore one sealer
   * gets the lock, and the other returns 0.
   */
  async sealSome(): Promise<number> {
    const [lock] = await this.database.query<{ is_granted: boolean }>(ONE_SEALER);
    if (!lock?.is_granted) return 0;
    const [sealed] = await this.database.query<{ count: number }>(SEAL);
    return sealed?.count ?? 0;
  }

  /**
   * Must be the first statement of the transaction. Gives the transaction one snapshot for its whole duration, because entries
   * move from the queue into seals all the time. Returns false when another verification of this tenant is running.
   */
  async beginVerification(tenantId: TenantId): Promise<boolean> {
    await this.database.execute(SNAPSHOT);
    const [lock] = await this.database.query<{ is_granted: boolean }>(ONE_VERIFIER, [tenantId]);
    return lock?.is_granted ?? false;
  }

  async last(tenantId: TenantId): Promise<LastSeal | null> {
    return this.database.first<LastSeal>(LAST, [tenantId]);
  }

  /** Number of entries that wait for their seal. */
  async countWaiting(tenantId: TenantId): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(WAITING, [tenantId]);
    return row?.count ?? 0;
  }

  /** The next seals after a number, compared with their existing entries. Empty at the end. */
  async window(tenantId: TenantId, after: number): Promise<SealCheck[]> {
    return this.database.query<SealCheck>(WINDOW, [tenantId, after]);
  }

  /**
   * Finds an entry that is in no seal and not in the queue, and returns the number of the seal that should cover it. Null when
   * there is no such entry. Returns a number above the last seal when the entry is newer than all seals.
   */
  async firstUnknown(tenantId: TenantId, lastSequence: number): Promise<number | null> {
    let cursor = { moment: '-infinity', id: 0 };
    for (;;) {
      const values = [tenantId, cursor.moment, cursor.id];
      const [page] = await this.database.query<typeof cursor & { unknown_at: string | null }>(UNKNOWN, values);
      if (!page) return null;
      if (page.unknown_at !== null) return this.sealedAfter(tenantId, page.unknown_at, lastSequence);
      cursor = page;
    }
  }

  private async sealedAfter(tenantId: TenantId, moment: string, lastSequence: number): Promise<number> {
    const [row] = await this.database.query<{ sequence: number | null }>(SEALED_AFTER, [tenantId, moment]);
    return row?.sequence ?? lastSequence + 1;
  }
}
