import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { BROKER_RELEASES } from '@libs/domain';
import { Database } from '@libs/persistence';
import { CellsRepository } from '@libs/persistence/organization';
import { SUPERVISOR_CONFIG, SUPERVISOR_VERSION, type SupervisorConfig } from '../config.js';

const PERIOD_MS = 10_000;

/** Tells the main API, by a row, which regions this supervisor serves, where it is reached and what its nodes run. */
@Injectable()
export class CellAnnouncer implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Cell');
  private readonly cells: CellsRepository;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    database: Database,
    @Inject(SUPERVISOR_CONFIG) private readonly config: SupervisorConfig,
  ) {
    this.cells = new CellsRepository(database);
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.announce();
    this.timer = setInterval(() => void this.announceAgain(), PERIOD_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  private async announceAgain(): Promise<void> {
    await this.announce().catch((error: unknown) => this.logger.warn({ err: error }, 'announcement failed'));
  }

  private async announce(): Promise<void> {
    await this.cells.announce({
      cell: this.config.SUPERVISOR_CELL,
      url: this.config.SUPERVISOR_PUBLIC_URL,
      agent_url: this.config.AGENT_PUBLIC_URL,
      regions: this.config.SUPERVISOR_REGIONS,
      cloud_drivers: { aws: this.config.LANDLORD_PROVIDER_AWS, gcp: this.config.LANDLORD_PROVIDER_GCP },
      broker_driver: 'embedded',
      broker_version: BROKER_RELEASES.embedded ?? '',
      version: SUPERVISOR_VERSION,
    });
  }
}
