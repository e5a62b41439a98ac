import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Installation, cells, idempotency, incidents: what belongs to the platform itself. */
export class Platform1763683200001 implements MigrationInterface {
  name = 'Platform1763683200001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table installation (
        one boolean primary key default true check (one),
        name text not null,
        timeline bigint not null default 1,
        created_at timestamptz not null default now()
      )`);
    await runner.query(`
      create table cells (
        cell text primary key,
        url text not null,
        agent_url text not null,
        regions text[] not null,
        cloud_drivers jsonb not null,
        broker_driver text not null,
        broker_version text not null,
        version text not null,
        seen_at timestamptz not null default now()
      )`);
    await runner.query(`
      create table idempotency_records (
        caller text not null,
        key text not null check (length(key) between 1 and 255),
        request_hash bytea not null,
        answer text not null,
        created_at timestamptz not null default now(),
        primary key (caller, key)
      )`);
    await runner.query(`create index idempotency_records_created on idempotency_records (created_at)`);
    await runner.query(`
      create table incidents (
        id bigint generated always as identity primary key check (id <= 9007199254740991),
        kind text not null,
        subject text not null,
        operation_id bigint,
        detail text not null,
        opened_at timestamptz not null default now(),
        closed_at timestamptz
      )`);
    await runner.query(`create unique index incidents_open on incidents (kind, subject) where closed_at is null`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table incidents, idempotency_records, cells, installation');
  }
}
