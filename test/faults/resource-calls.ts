import { setTimeout as delay } from 'node:timers/promises';
import type { TestCloud } from '@libs/testing';

const CHANNEL = 'faults_intent';
/** A number that no other code uses for an advisory lock. */
const LOCK = 471_200;
/** Without a call within this time, no scenario needs a resource now. */
const PATIENCE_MS = 8_000;
const LOOK_MS = 5;

/** The moments between the row of a cloud resource, the call to its provider, and the record of its answer. */
export class ResourceCalls {
  private constructor(private readonly cloud: TestCloud) {}

  static async of(cloud: TestCloud): Promise<ResourceCalls> {
    await cloud.rows('create table if not exists held_records (held boolean)');
    await cloud.rows('grant select on held_records to public');
    await cloud.rows(`create or replace function tell_intent() returns trigger language plpgsql as $$
      begin perform pg_notify('${CHANNEL}', new.name); return null; end $$`);
    await cloud.rows(`create or replace function hold_record() returns trigger language plpgsql as $$
      begin
        if exists (select 1 from held_records) then perform pg_advisory_xact_lock(${LOCK}); end if;
        return new;
      end $$`);
    await cloud.rows(`create or replace trigger tell_intent after insert or update of intent on cloud_resources
      for each row execute function tell_intent()`);
    await cloud.rows(`create or replace trigger hold_record before update of seen_at on cloud_resources
      for each row when (old.seen_at is null) execute function hold_record()`);
    return new ResourceCalls(cloud);
  }

  /** Calls `kill` as soon as the row of a resource is committed, when its call has not ended. Returns whether a row came. */
  async afterIntent(kill: () => Promise<void>): Promise<boolean> {
    const client = await this.cloud.sql.connect();
    try {
      await client.query(`listen ${CHANNEL}`);
      const came = new Promise<true>((resolve) => client.once('notification', () => resolve(true)));
      const isIn = await Promise.race([came, delay(PATIENCE_MS, false as const)]);
      if (isIn) await kill();
      return isIn;
    } finally {
      await client.query(`unlisten ${CHANNEL}`);
      client.release();
    }
  }

  /** Calls `kill` when a call has returned and its answer is about to be recorded. The record is lost. Returns whether a call came. */
  async beforeRecord(kill: () => Promise<void>): Promise<boolean> {
    const client = await this.cloud.sql.connect();
    try {
      await client.query('select pg_advisory_lock($1)', [LOCK]);
      await client.query('insert into held_records values (true)');
      const until = Date.now() + PATIENCE_MS;
      while ((await this.waiting()).length === 0 && Date.now() < until) await delay(LOOK_MS);
      const waiting = await this.waiting();
      if (waiting.length > 0) {
        await kill();
        // A dead client does not stop its statement.
        await client.query('select pg_terminate_backend(pid) from unnest($1::integer[]) as pid', [
          await this.waiting(),
        ]);
      }
      return waiting.length > 0;
    } finally {
      await client.query('truncate held_records');
      await client.query('select pg_advisory_unlock($1)', [LOCK]);
      client.release();
    }
  }

  private async waiting(): Promise<number[]> {
    const found = await this.cloud.rows<{ pid: number }>(
      `select pid from pg_locks where locktype = 'advisory' and objid = ${LOCK} and not granted`,
    );
    return found.map(({ pid }) => pid);
  }
}
