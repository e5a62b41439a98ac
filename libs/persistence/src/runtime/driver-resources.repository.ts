import { Injectable } from '@nestjs/common';
import { Raw } from 'typeorm';
import { Database, statement } from '../database.js';
import { DriverResource } from './entities/driver-resource.entity.js';

export interface DriverResourceKey {
  kind: string;
  name: string;
}

export interface DriverPart {
  id: string | null;
  begunAgoMs: number;
}

export interface RememberedDriverResource {
  isDeleting: boolean;
  tags: DriverResource['tags'];
  parts: ReadonlyMap<string, DriverPart>;
}

interface Row {
  name: string;
  is_deleting: boolean;
  tags: DriverResource['tags'];
  parts: Record<string, { id: string | null; begun_ago_ms: number }>;
}

const HOLD = statement(
  'aws_resources.hold',
  `insert into aws_resources as r (kind, name, held_by, held_until, tags)
   values ($1, $2, $3, now() + $4 * interval '1 millisecond', $5)
   on conflict (kind, name) do update
      set held_by = excluded.held_by, held_until = excluded.held_until, tags = coalesce(excluded.tags, r.tags)
      where r.held_until is null or r.held_until < now() or r.held_by = excluded.held_by
   returning name`,
);
const FIND = statement(
  'aws_resources.find',
  `select r.name, r.is_deleting, r.tags,
          coalesce((select jsonb_object_agg(p.key, jsonb_build_object(
                       'id', p.value -> 'id',
                       'begun_ago_ms', round(extract(epoch from now() - (p.value ->> 'begun_at')::timestamptz) * 1000)))
                      from jsonb_each(r.parts) p), '{}') as parts
     from aws_resources r where r.kind = $1 and r.name = any($2::text[])`,
);
const PUT_PART = statement(
  'aws_resources.put_part',
  `update aws_resources set parts = parts || jsonb_build_object($3::text, jsonb_build_object('id', $4::text, 'begun_at', now()))
    where kind = $1 and name = $2`,
);
const REMOVE_PART = statement(
  'aws_resources.remove_part',
  `update aws_resources set parts = parts - $3::text where kind = $1 and name = $2`,
);

/** What the drivers of clouds remember of their resources: the ids of their parts, also of those whose creation was only begun. */
@Injectable()
export class DriverResourcesRepository {
  constructor(private readonly database: Database) {}

  /**
   * Takes the resource for some milliseconds, also again. False: somebody else holds it.
   * @param tags The owner. Null: the stored one stays.
   */
  async hold(
    { kind, name }: DriverResourceKey,
    holder: string,
    forMs: number,
    tags: DriverResource['tags'],
  ): Promise<boolean> {
    return (await this.database.query(HOLD, [kind, name, holder, forMs, tags && JSON.stringify(tags)])).length > 0;
  }

  /** A resource without parts has no row. */
  async release({ kind, name }: DriverResourceKey, holder: string): Promise<void> {
    const condition = { kind, name, held_by: holder };
    const empty = { ...condition, parts: Raw((column) => `${column} = '{}'`), is_deleting: false };
    const { affected } = await this.database.repository(DriverResource).delete(empty);
    if (affected === 0)
      await this.database.repository(DriverResource).update(condition, { held_by: null, held_until: null });
  }

  async find(kind: string, names: readonly string[]): Promise<Map<string, RememberedDriverResource>> {
    const rows = names.length === 0 ? [] : await this.database.query<Row>(FIND, [kind, names]);
    return new Map(
      rows.map(({ name, is_deleting, tags, parts }) => {
        const entries = Object.entries(parts).map(
          ([part, one]) => [part, { id: one.id, begunAgoMs: one.begun_ago_ms }] as const,
        );
        return [name, { isDeleting: is_deleting, tags, parts: new Map(entries) }];
      }),
    );
  }

  /** Records a part. `id`: null before the call that creates the part. */
  async putPart({ kind, name }: DriverResourceKey, part: string, id: string | null): Promise<void> {
    await this.database.execute(PUT_PART, [kind, name, part, id]);
  }

  async removePart({ kind, name }: DriverResourceKey, part: string): Promise<void> {
    await this.database.execute(REMOVE_PART, [kind, name, part]);
  }

  async markDeleting({ kind, name }: DriverResourceKey): Promise<void> {
    await this.database.repository(DriverResource).update({ kind, name }, { is_deleting: true });
  }

  async empty({ kind, name }: DriverResourceKey): Promise<void> {
    await this.database.repository(DriverResource).update({ kind, name }, { is_deleting: false, parts: {} });
  }
}
