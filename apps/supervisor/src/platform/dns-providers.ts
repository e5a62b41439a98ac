import { resolve } from 'node:path';
import type { FactoryProvider } from '@nestjs/common';
import { CloudError, LocalDns, NoDns, type DnsProvider } from '@libs/cloud';
import type { SupervisorConfig } from '../config.js';

/** The previous release recorded names with the driver of the cloud. Its names of machines had no effect. */
const DRIVER_BEFORE = 'machines';

/** The drivers of names, from the settings of the Supervisor. */
export class DnsProviders {
  /**
   * @param chosen The driver for new names.
   * @param others Drivers that only serve names from before a change of the setting.
   */
  constructor(
    readonly chosen: DnsProvider,
    private readonly others: readonly DnsProvider[] = [],
  ) {}

  /** @throws CloudError `denied` when the settings do not allow the driver */
  driver(name: string): DnsProvider {
    const wanted = name === DRIVER_BEFORE ? 'local' : name;
    const provider = [this.chosen, ...this.others].find(({ driver }) => driver === wanted);
    if (provider) return provider;
    throw new CloudError(
      { code: 'denied', actions: [] },
      `the name of the deployment was published with the driver ${wanted}, which this supervisor does not have`,
    );
  }
}

/** All drivers that the settings allow, and the one of new names. Existing names can need a driver that is not chosen. */
export const dnsProviders = (config: SupervisorConfig): FactoryProvider<DnsProviders> => ({
  provide: DnsProviders,
  useFactory: () => {
    const drivers = { none: new NoDns(), local: new LocalDns(resolve(config.LANDLORD_DATA_DIR)) };
    return new DnsProviders(drivers[config.LANDLORD_DNS], Object.values(drivers));
  },
});
