import { Inject, Injectable } from '@nestjs/common';
import { CloudError, type CloudProvider, type Place, type Resource, type ResourceKind } from '@libs/cloud';
import { IncidentsRepository } from '@libs/persistence/platform';
import {
  CloudResourcesRepository,
  PRIVATE_CONNECTION_KINDS,
  PrivateConnectionsRepository,
  RuntimesRepository,
} from '@libs/persistence/runtime';
import { Reconciler } from '@libs/workflow';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../config.js';
import { PrivateConnectionResources } from '../lifecycle/index.js';
import { CloudProviders, Installation } from '../platform/index.js';

const LONGEST_PERIOD_MS = 30_000;
/** A real provider allows few calls. It is listed this often, unless it had unknown resources the last time. */
const REAL_PROVIDER_PERIOD_MS = 15 * 60_000;
const CALL_TIMEOUT_MS = 25_000;
const UNKNOWN = 'unknown_resource';
/** For a provider whose inventory of any place lists everything. */
const ANYWHERE: Place = { cloud: '', region: '', account: null };

/**
 * Checks that every resource with this installation's tag belongs to a deployment in the database, and every peering,
 * endpoint service and attachment to a private connection. Reports other resources and never deletes them: after a
 * restore, the database may be wrong. With `landlord ops incidents`, an operator adopts a resource (it stays and is not
 * reported again) or has it destroyed.
 */
@Injectable()
export class UnknownResourcesReconciler extends Reconciler {
  /** Unknown resources of the previous pass. A resource that is missing in the next pass was being deleted. */
  private suspects = new Set<string>();
  /** By driver: the time of this process until which it is not listed. */
  private readonly dueAt = new Map<string, number>();

  constructor(
    private readonly runtimes: RuntimesRepository,
    private readonly connections: PrivateConnectionsRepository,
    private readonly rows: CloudResourcesRepository,
    private readonly incidents: IncidentsRepository,
    private readonly providers: CloudProviders,
    private readonly installation: Installation,
    private readonly connectionResources: PrivateConnectionResources,
    @Inject(SUPERVISOR_CONFIG) private readonly config: SupervisorConfig,
  ) {
    super('UnknownResources', Math.min(LONGEST_PERIOD_MS, (config.NODE_UNREACHABLE_SECONDS * 1000) / 4));
  }

  protected async pass(stopping: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(CALL_TIMEOUT_MS)]);
    const suspects = new Set<string>();
    for (const provider of this.providers.all()) {
      if (performance.now() < (this.dueAt.get(provider.driver) ?? 0)) continue;
      const { unknown, isWhole } = await this.findUnknown(provider, signal);
      const isQuiet = unknown.length === 0 && !provider.hasOneInventory;
      this.dueAt.set(provider.driver, isQuiet ? performance.now() + REAL_PROVIDER_PERIOD_MS : 0);
      for (const { subject } of unknown) suspects.add(subject);
      await this.report(
        provider,
        { unknown: unknown.filter(({ subject }) => this.suspects.has(subject)), isWhole },
        signal,
      );
    }
    this.suspects = suspects;
  }

  /**
   * Calls the provider before it reads the database: a resource that is created later is not in the provider's answer,
   * so every resource in the answer is older than the read of its row.
   */
  private async findUnknown(provider: CloudProvider, signal: AbortSignal): Promise<Look> {
    const { found, isWhole } = await this.inventory(provider, signal);
    const ids = new Set(found.map(({ resource }) => resource.tags.deployment_id));
    const deploymentIds = new Set(await this.runtimes.living([...ids]));
    const connectionNames = new Set(await this.connectionNamesOf(found));
    const unknown = found
      .filter(
        ({ resource: { kind, name, tags } }) =>
          !(isPrivateConnection(kind) ? connectionNames.has(name) : deploymentIds.has(tags.deployment_id)),
      )
      .map((one) => ({ ...one, subject: `${provider.driver} ${one.resource.kind} ${one.resource.name}` }));
    return { unknown, isWhole };
  }

  /** The resources of the installation in all places of the cell's rows, each once. Without those of accounts that refuse Landlord. */
  private async inventory(
    provider: CloudProvider,
    signal: AbortSignal,
  ): Promise<{ found: Listed[]; isWhole: boolean }> {
    const places = provider.hasOneInventory
      ? [ANYWHERE]
      : await this.rows.places(provider.driver, this.config.SUPERVISOR_CELL);
    const found: Listed[] = [];
    let isWhole = true;
    for (const at of places) {
      const listed = await this.listed(provider, at, signal);
      found.push(...(listed ?? []));
      isWhole &&= listed !== null;
    }
    return { found, isWhole };
  }

  /** Null: the account of the customer refuses Landlord. */
  private async listed(provider: CloudProvider, at: Place, signal: AbortSignal): Promise<Listed[] | null> {
    const found: Listed[] = [];
    let cursor: string | null = null;
    try {
      do {
        const page = await provider.inventory(at, { installation: this.installation.name }, cursor, signal);
        found.push(...page.resources.map((resource) => ({ resource, at })));
        cursor = page.next;
      } while (cursor !== null);
      return found;
    } catch (error) {
      if (at.account === null || !(error instanceof CloudError) || error.code !== 'denied') throw error;
      this.logger.warn({ at, error: error.message }, 'the account refuses the search for unknown resources');
      return null;
    }
  }

  /** Returns the names of the private connections of these deployments at the provider. */
  private async connectionNamesOf(found: readonly Listed[]): Promise<string[]> {
    const ofConnections = found.filter(({ resource }) => isPrivateConnection(resource.kind));
    const deployments = new Set(ofConnections.map(({ resource }) => resource.tags.deployment_id));
    if (deployments.size === 0) return [];
    return (await this.connections.living([...deployments])).map((connection) =>
      this.connectionResources.name(connection),
    );
  }

  private async report(provider: CloudProvider, { unknown, isWhole }: Look, signal: AbortSignal): Promise<void> {
    const subjects = unknown.map(({ subject }) => subject);
    const decided = new Map(
      (await this.incidents.decisions(UNKNOWN, subjects)).map(({ subject, decision }) => [subject, decision]),
    );
    for (const { resource, at, subject } of unknown) {
      if (decided.get(subject) !== 'destroy') continue;
      this.logger.warn({ subject }, 'unknown resource is destroyed, an operator decided so');
      await provider.destroy(resource.kind, { name: resource.name, at }, signal);
    }
    const standing = unknown.filter(({ subject }) => decided.get(subject) !== 'adopt');
    const opened = await this.incidents.open(standing.map(toIncident));
    for (const incident of opened) this.logger.error(incident, 'incident opened');
    // Resources in an account that refuses Landlord can still exist.
    if (!isWhole) return;
    await this.incidents.closeOthers(
      UNKNOWN,
      `${provider.driver} `,
      standing.map(({ subject }) => subject),
    );
  }
}

/** A resource and the place in which it was found. */
interface Listed {
  resource: Resource;
  at: Place;
}

interface Found extends Listed {
  subject: string;
}

interface Look {
  unknown: Found[];
  /** Whether all places were listed. */
  isWhole: boolean;
}

const isPrivateConnection = (kind: ResourceKind): boolean =>
  (PRIVATE_CONNECTION_KINDS as readonly string[]).includes(kind);

const toIncident = ({ resource: { kind, id, tags }, subject }: Found) => ({
  kind: UNKNOWN,
  subject,
  detail: `exists at the provider (${id}), but ${missing(kind)} ${tags.deployment_id} does not: adopt it or have it destroyed`,
});

const missing = (kind: ResourceKind): string =>
  isPrivateConnection(kind) ? 'its private connection to deployment' : 'deployment';
