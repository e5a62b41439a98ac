import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Hosts that run nodes for the driver `machines`, the tokens with which they join, and the resources of this driver. */
export class Machines1763683200095 implements MigrationInterface {
  name = 'Machines1763683200095';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table machines (
        id bigint generated always as identity primary key,
        cell text not null,
        region text not null,
        zone text not null,
        hostname text not null,
        address text not null,
        processor text not null check (processor in ('x64', 'arm64')),
        cpus integer not null check (cpus > 0),
        memory_mib integer not null check (memory_mib >= 0),
        disk_gib integer not null check (disk_gib >= 0),
        status text not null default 'active' check (status in ('active', 'draining', 'removed')),
        credential_hash bytea not null,
        credential_confirmed boolean not null default false,
        agent_version text not null,
        generation bigint not null default 1,
        observed_generation bigint not null default 0,
        joined_at timestamptz not null default now(),
        last_seen_at timestamptz,
        removed_at timestamptz
      )`);
    await runner.query(`create index machines_place on machines (cell, region, zone) where status <> 'removed'`);
    await runner.query(`
      create table machine_tokens (
        id bigint generated always as identity primary key,
        cell text not null,
        region text not null,
        zone text not null,
        secret_hash bytea not null,
        expires_at timestamptz not null,
        created_at timestamptz not null default now(),
        machine_id bigint references machines
      )`);
    await runner.query('create index machine_tokens_machine on machine_tokens (machine_id)');
    await runner.query(`
      create table machine_nodes (
        name text primary key,
        node_id bigint not null references nodes,
        deployment_id bigint not null references deployments,
        machine_id bigint not null references machines,
        incarnation integer not null,
        broker text not null,
        memory_mib integer not null,
        cpus integer not null,
        disk_gib integer not null,
        ports integer[] not null,
        is_dedicated boolean not null,
        intent text not null default 'present' check (intent in ('present', 'absent')),
        state text not null default 'pending' check (state in ('pending', 'active', 'failed')),
        reason text,
        placed_at timestamptz not null default now()
      )`);
    await runner.query('create index machine_nodes_machine on machine_nodes (machine_id)');
    await runner.query('create index machine_nodes_deployment on machine_nodes (deployment_id)');
    await runner.query('create index machine_nodes_node on machine_nodes (node_id)');
    await runner.query(`
      create table machine_resources (
        kind text not null,
        name text not null,
        deployment_id bigint not null references deployments,
        node_id bigint references nodes,
        spec jsonb not null,
        primary key (kind, name)
      )`);
    await runner.query('create index machine_resources_deployment on machine_resources (deployment_id)');
    await runner.query('create index machine_resources_node on machine_resources (node_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['machine_resources', 'machine_nodes', 'machine_tokens', 'machines'])
      await runner.query(`drop table ${table}`);
  }
}
