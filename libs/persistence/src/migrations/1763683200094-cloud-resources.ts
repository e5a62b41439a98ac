import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The cloud resources that Landlord wants or removes. The rows of all living resources are written; no resource changes. */
export class CloudResources1763683200094 implements MigrationInterface {
  name = 'CloudResources1763683200094';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table cloud_resources (
        kind text not null,
        name text not null,
        deployment_id bigint not null references deployments,
        driver text not null,
        intent text not null check (intent in ('present', 'absent')),
        primary key (kind, name)
      )`);
    await runner.query('create index cloud_resources_deployment on cloud_resources (deployment_id)');
    // Until now every cloud was the driver 'local', and names were derived from the rows. A resource that does not exist (yet)
    // is harmless: its row has no effect until the deployment is deleted. An upgrade that rolls back keeps its deployment.
    await runner.query(`
      insert into cloud_resources (kind, name, deployment_id, driver, intent)
      select part.kind, 'ld-' || i.name || '-' || d.id || '-' || replace(part.kind, '_', '-') || coalesce('-' || part.id, ''),
             d.id, 'local', case when r.status = 'deleting' then 'absent' else part.intent end
        from deployment_runtimes r join deployments d on d.id = r.deployment_id cross join installation i
        cross join lateral (
          select kind, null::bigint as id, 'present' as intent from unnest(array['network', 'firewall', 'load_balancer']) kind
          union all select kind, null, 'present' from unnest(array['dns_record', 'certificate']) kind where d.subdomain_enabled
          union all select 'node', n.id, 'present' from nodes n where n.deployment_id = d.id
          union all select 'address', n.id, 'present' from nodes n where n.deployment_id = d.id and d.public_ip_enabled
          union all select c.kind, c.id, case when c.deleting_at is null then 'present' else 'absent' end
                      from private_connections c where c.deployment_id = d.id and c.deleted_at is null
        ) part
       where r.deleted_at is null`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table cloud_resources');
  }
}
