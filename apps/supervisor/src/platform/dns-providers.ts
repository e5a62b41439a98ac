import { resolve } from 'node:path';
import type { FactoryProvider } from '@nestjs/common';
import {
  CloudDns,
  CloudError,
  LocalDns,
  NoDns,
  OperatorTokens,
  readDnsServer,
  readTsigKey,
  Rfc2136Dns,
  Route53Dns,
  type DnsProvider,
} from '@libs/cloud';
import type { SupervisorConfig } from '../config.js';
import { Installation } from './installation.js';

/** The previous release recorded names with the driver of the cloud. Its names of machines had no effect. */
const DRIVER_BEFORE = 'machines';

/** The settings without which a driver is missing. */
const NEEDED: Record<string, string> = {
  rfc2136: ', which needs DNS_SERVER and DNS_TSIG_KEY',
  route53: ', which needs DNS_ROUTE53_ZONE_ID',
  clouddns: ', which needs DNS_CLOUDDNS_ZONE',
};

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
    const driverName = name === DRIVER_BEFORE ? 'local' : name;
    const provider = [this.chosen, ...this.others].find(({ driver }) => driver === driverName);
    if (provider) return provider;
    const missing = NEEDED[driverName] ?? '';
    throw new CloudError(
      { code: 'denied', actions: [] },
      `the name of the deployment was published with the driver ${driverName}${missing}`,
    );
  }
}

/** All drivers that the settings allow, and the one of new names. Existing names can need a driver that is not chosen. */
export const dnsProviders = (config: SupervisorConfig): FactoryProvider<DnsProviders> => ({
  provide: DnsProviders,
  useFactory: ({ name }: Installation) => {
    const local = new LocalDns(resolve(config.LANDLORD_DATA_DIR));
    const all = [
      new NoDns(),
      local,
      ...rfc2136Of(config, name),
      ...route53Of(config, name),
      ...cloudDnsOf(config, name),
    ];
    const chosen = all.find(({ driver }) => driver === config.LANDLORD_DNS);
    // The check of the settings has found what the driver needs.
    if (!chosen) throw new TypeError(`there is no driver ${config.LANDLORD_DNS}`);
    return new DnsProviders(chosen, all);
  },
  inject: [Installation],
});

function rfc2136Of({ DNS_SERVER, DNS_TSIG_KEY, DNS_ZONE, BASE_DOMAIN }: SupervisorConfig, installation: string) {
  const [server, key] = [readDnsServer(DNS_SERVER ?? ''), readTsigKey(DNS_TSIG_KEY ?? '')];
  return server && key ? [new Rfc2136Dns({ server, key, zone: DNS_ZONE ?? BASE_DOMAIN, installation })] : [];
}

function route53Of(config: SupervisorConfig, installation: string) {
  const { DNS_ROUTE53_ZONE_ID: zoneId, DNS_ZONE, BASE_DOMAIN } = config;
  const { DNS_AWS_ACCESS_KEY_ID: accessKeyId, DNS_AWS_SECRET_ACCESS_KEY: secretAccessKey } = config;
  const keys = accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined;
  return zoneId ? [new Route53Dns({ zoneId, zone: DNS_ZONE ?? BASE_DOMAIN, installation, keys })] : [];
}

function cloudDnsOf(
  { DNS_CLOUDDNS_ZONE, DNS_ZONE, BASE_DOMAIN, GCP_ENDPOINT }: SupervisorConfig,
  installation: string,
) {
  const [project, managedZone] = DNS_CLOUDDNS_ZONE?.split('/') ?? [];
  if (!project || !managedZone) return [];
  const zone = DNS_ZONE ?? BASE_DOMAIN;
  const operator = new OperatorTokens();
  return [new CloudDns({ project, managedZone, zone, installation, operator, endpoint: GCP_ENDPOINT })];
}
