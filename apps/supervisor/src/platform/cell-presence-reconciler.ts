import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { CellProcessesRepository, CellsRepository, type CellBroker } from '@libs/persistence/organization';
import { brokerFeatures } from '@libs/broker-config';
import { featuresOfDrivers, type BrokerDriver, type FeatureLevels } from '@libs/domain';
import { RELEASE } from '@libs/domain/release';
import { Periodic } from '@libs/workflow';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../config.js';
import { CloudProviders } from './cloud-providers.js';
import { LocalBroker } from './local-broker.js';

const PERIOD_MS = 10_000;

/** Writes a row for the main API: the regions of this Supervisor, its URLs, and the brokers of its nodes. */
@Injectable()
export class CellPresenceReconciler implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Cell');
  private readonly id = randomUUID();
  private readonly periodic = new Periodic({
    pass: () => this.announce(),
    everyMs: PERIOD_MS,
    failed: (error) => {
      this.tellFailure(error);
      // A cell that does not announce itself gets no orders: the next try does not wait for the period.
      this.periodic.wakeUp();
    },
  });

  constructor(
    private readonly cells: CellsRepository,
    private readonly processes: CellProcessesRepository,
    @Inject(SUPERVISOR_CONFIG) private readonly config: SupervisorConfig,
    private readonly broker: LocalBroker,
    private readonly providers: CloudProviders,
  ) {}

  /** The main API knows the cell before the Supervisor serves, unless the database is away just then. */
  async onApplicationBootstrap(): Promise<void> {
    await this.announce().catch((error: unknown) => this.tellFailure(error));
    this.periodic.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.periodic.stop();
    await this.processes.leave({ id: this.id, cell: this.config.SUPERVISOR_CELL }).catch(() => undefined);
  }

  private tellFailure(error: unknown): void {
    this.logger.warn({ err: error }, 'announcement failed');
  }

  /** By cloud: what deployments with this broker can do. */
  private featuresOf(driver: BrokerDriver, release: string | null): Record<string, FeatureLevels> {
    return this.providers.mapped(({ features }) => featuresOfDrivers(features, brokerFeatures(driver, release)));
  }

  private brokers(): Partial<Record<BrokerDriver, CellBroker>> {
    const announced = this.broker.brokers.map(({ driver, release, clusters }) => {
      const libraries = driver === 'iggy' ? { connectors: [...this.broker.connectorLibraries] } : {};
      return [
        driver,
        { version: release, clusters, features: this.featuresOf(driver, release), ...libraries },
      ] as const;
    });
    return Object.fromEntries(announced);
  }

  private async announce(): Promise<void> {
    const has = (part: string): boolean => ['all', part].includes(this.config.LANDLORD_ROLE);
    const { driver, release } = this.broker.of('cluster');
    const announcement = {
      cell: this.config.SUPERVISOR_CELL,
      url: this.config.SUPERVISOR_PUBLIC_URL,
      agent_url: this.config.AGENT_PUBLIC_URL,
      regions: this.config.SUPERVISOR_REGIONS,
      cloud_drivers: { aws: this.config.LANDLORD_PROVIDER_AWS, gcp: this.config.LANDLORD_PROVIDER_GCP },
      broker_driver: driver,
      broker_version: release,
      features: this.featuresOf(driver, release),
      brokers: this.brokers(),
      version: RELEASE,
    };
    await this.cells.announce(announcement, has('worker'));
    const cell = this.config.SUPERVISOR_CELL;
    await this.processes.announce({ id: this.id, cell, hasGateway: has('gateway'), version: RELEASE });
  }
}
