import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What runs: the supervisor's side of a deployment, its nodes and the documents they converge on. */
export class Runtime1763683200004 implements MigrationInterface {
  name = 'Runtime1763683200004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table deployment_runtimes (
        deployment_id bigint primary key references deployments,
        cell text not null,
        status text not null,
        status_reason text,
        status_since timestamptz not null default now(),
        network_mode text not null default 'public' check (network_mode in ('public', 'private')),
        cidr text,
        network_id text,
        subnet_ids text[] not null default '{}',
        load_balancer text,
        peer_secret text not null,
        initialized_at timestamptz,
        deleted_at timestamptz
      )`);
    await runner.query(`create index deployment_runtimes_cell on deployment_runtimes (cell) where deleted_at is null`);
    await runner.query(`
      create table deployment_credentials (
        deployment_id bigint primary key references deployment_runtimes,
        username text not null,
        password text not null,
        version integer not null default 1
      )`);
    await runner.query(`
      create table nodes (
        id bigint generated always as identity primary key check (id <= 9007199254740991),
        deployment_id bigint not null references deployment_runtimes,
        ordinal smallint not null,
        name text not null,
        status text not null default 'pending',
        status_reason text,
        role text not null check (role in ('leader', 'follower')),
        broker_driver text,
        broker_version text,
        image_id text not null,
        zone text,
        storage_type text not null,
        storage_size integer not null,
        private_ip text,
        public_ip text,
        listen_address text,
        epoch integer not null default 1,
        bootstrap_token text,
        bootstrap_token_hash bytea,
        credential_hash bytea,
        credential_confirmed boolean not null default false,
        agent_version text,
        last_seen_at timestamptz,
        observed_timeline bigint not null default 0,
        observed_generation bigint not null default 0,
        observed_hash text not null default '',
        runtimes jsonb not null default '[]',
        created_at timestamptz not null default now(),
        unique (deployment_id, ordinal)
      )`);
    await this.createNodeParts(runner);
    await this.createRules(runner);
  }

  private async createNodeParts(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table node_ports (
        address text not null,
        port integer not null check (port between 1 and 65535),
        node_id bigint not null references nodes on delete cascade,
        purpose text not null check (purpose in ('tcp', 'http', 'websocket', 'udp', 'peer')),
        primary key (address, port),
        unique (node_id, purpose)
      )`);
    await runner.query(`
      create table node_documents (
        node_id bigint primary key references nodes on delete cascade,
        timeline bigint not null,
        generation bigint not null,
        hash text not null,
        spec text not null,
        published_at timestamptz not null default now()
      )`);
  }

  private async createRules(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table access_rules (
        id bigint generated always as identity primary key check (id <= 9007199254740991),
        deployment_id bigint not null references deployment_runtimes,
        name text not null,
        remarks text,
        cidr_blocks text[] not null,
        rules jsonb not null,
        valid_to timestamptz,
        created_at timestamptz not null default now()
      )`);
    await runner.query(`create unique index access_rules_name on access_rules (deployment_id, lower(name))`);
    await runner.query(`
      create table configs (
        id bigint generated always as identity primary key check (id <= 9007199254740991),
        deployment_id bigint not null references deployment_runtimes,
        kind text not null,
        name text not null,
        version integer not null,
        is_primary boolean not null default false,
        config_values text not null,
        runtime_version text not null,
        author_id bigint,
        created_at timestamptz not null default now(),
        unique (deployment_id, kind, name, version)
      )`);
    await runner.query(`create unique index configs_primary on configs (deployment_id, kind) where is_primary`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'drop table configs, access_rules, node_documents, node_ports, nodes, deployment_credentials, deployment_runtimes',
    );
  }
}
