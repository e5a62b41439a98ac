import { Inject, Injectable } from '@nestjs/common';
import type { NameTarget, PublishedName } from '@libs/cloud';
import { deploymentDomain } from '@libs/domain';
import {
  CloudResourcesRepository,
  NodesRepository,
  RuntimesRepository,
  type DeploymentFacts,
  type PlacedResource,
} from '@libs/persistence/runtime';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../config.js';
import { DnsProviders, Installation } from '../platform/index.js';
import { DeploymentResources } from './deployment-resources.js';
import { ensureAfterRow } from './ensure-after-row.js';
import { placeOf } from './resource-names.js';

/** The kind of the rows of names. The name of a row is the published name. */
const KIND = 'dns_record';
/** The only driver of the releases that had no row for each name. */
const DRIVER_WITHOUT_ROWS = 'local';

/**
 * The published name of a deployment. Like a cloud resource, it has a row that is committed before the first call, and that
 * says `absent` before the removal. The name keeps the driver of its row. Every call is safe to repeat.
 */
@Injectable()
export class DeploymentNames {
  constructor(
    private readonly rows: CloudResourcesRepository,
    private readonly providers: DnsProviders,
    private readonly runtimes: RuntimesRepository,
    private readonly nodes: NodesRepository,
    private readonly resources: DeploymentResources,
    private readonly installation: Installation,
    @Inject(SUPERVISOR_CONFIG) private readonly config: SupervisorConfig,
  ) {}

  /** Publishes the name, or changes where it leads. Returns it while it is not published. Null: it is published, or the deployment has none. */
  async ensure(facts: DeploymentFacts, signal: AbortSignal): Promise<PublishedName | null> {
    const fqdn = deploymentDomain(facts, this.config.BASE_DOMAIN);
    if (fqdn === null) return null;
    const target = await this.targetOf(facts);
    const { driver } = this.providers.chosen;
    const owner = { installation: this.installation.name, deployment_id: facts.id };
    const resource = { kind: KIND, name: fqdn, driver, at: placeOf(facts), deploymentId: facts.id };
    const published = await ensureAfterRow(this.rows, { ...resource, nodeId: null, incarnation: 1 }, (row) =>
      this.providers.driver(row.driver).ensure(fqdn, target, owner, signal),
    );
    return published.state === 'active' ? null : published;
  }

  /** The load balancer, or the private addresses of all nodes that clients reach directly. */
  private async targetOf(facts: DeploymentFacts): Promise<NameTarget> {
    if (!(await this.resources.isReachedDirectly(facts)))
      return (await this.runtimes.find(facts.id))?.load_balancer ?? '';
    return (await this.nodes.list(facts.id)).flatMap(({ private_ip: address }) => address ?? []);
  }

  /**
   * Records that the deployment is to have no name: none of those with rows, and not the one that a release without rows may
   * have published. Returns all of them.
   */
  async markAllAbsent(facts: DeploymentFacts): Promise<PlacedResource[]> {
    const rows = (await this.rows.ofDeployment(facts.id)).filter(({ kind }) => kind === KIND);
    const before = { kind: KIND, name: `ld-${this.installation.name}-${facts.id}-dns-record` };
    const place = { driver: DRIVER_WITHOUT_ROWS, at: placeOf(facts) };
    const all = rows.some(({ name }) => name === before.name) ? rows : [...rows, before];
    return this.rows.markAbsent(facts.id, all, place);
  }

  /** Starts the removal of those among the names that still exist. Returns those that exist after that. */
  async destroyThese(rows: readonly PlacedResource[], signal: AbortSignal): Promise<PublishedName[]> {
    const existing = new Set((await this.existing(rows, signal)).map(({ fqdn }) => fqdn));
    if (existing.size === 0) return [];
    for (const { driver, name } of rows) {
      if (existing.has(name)) await this.providers.driver(driver).destroy(name, signal);
    }
    return this.existing(rows, signal);
  }

  /** Those of the names that are still published. */
  async existing(rows: readonly PlacedResource[], signal: AbortSignal): Promise<PublishedName[]> {
    const publishedNames: PublishedName[] = [];
    for (const driver of new Set(rows.map((row) => row.driver))) {
      const names = rows.filter((row) => row.driver === driver).map(({ name }) => name);
      publishedNames.push(...(await this.providers.driver(driver).describe(names, signal)).values());
    }
    return publishedNames;
  }
}
