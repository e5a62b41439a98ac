import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Ways from networks of customers to deployments: peerings, endpoint services, service attachments, and who uses them. */
export class PrivateNetworking1763683200033 implements MigrationInterface {
  name = 'PrivateNetworking1763683200033';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table private_connections (
        id bigint generated always as identity primary key check (id <= 9007199254740991),
        deployment_id bigint not null references deployments,
        cell text not null,
        kind text not null check (kind in ('vpc_peering', 'network_peering', 'endpoint_service', 'service_attachment')),
        name text not null,
        remarks text not null default '',
        spec jsonb not null,
        status text not null,
        reason text,
        attributes jsonb,
        deleting_at timestamptz,
        deleted_at timestamptz,
        looked_at timestamptz not null default now(),
        created_at timestamptz not null default now()
      )`);
    await runner.query(`
      create unique index private_connections_name on private_connections (deployment_id, kind, lower(name))
       where deleted_at is null`);
    await runner.query(`
      create index private_connections_looked on private_connections (cell, looked_at, id)
       where deleted_at is null and deleting_at is null`);
    await runner.query(`
      create table private_connection_consumers (
        id bigint generated always as identity primary key check (id <= 9007199254740991),
        private_connection_id bigint not null references private_connections on delete cascade,
        connection_id text not null,
        owner text not null,
        network text,
        endpoint text,
        status text not null check (status in ('pending', 'accepted', 'rejected', 'closed', 'needs_attention')),
        created_at timestamptz not null default now(),
        unique (private_connection_id, connection_id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table private_connection_consumers, private_connections');
  }
}
