/** Who publishes the names of deployments. `none`: nobody, so new deployments have no name. */
export const DNS_DRIVERS = ['none', 'local', 'rfc2136', 'route53', 'clouddns'] as const;
export type DnsDriver = (typeof DNS_DRIVERS)[number];

/** The properties of a deployment that its domain name consists of. */
export interface DomainNameParts {
  code: string;
  region: string;
  cloud: string;
  /** False: the deployment has no domain name. It has no public IP, or was ordered without a name, or nobody published names. */
  subdomain_enabled: boolean;
}

/** `<code>.<region>.<cloud>.<base domain>` (C-12.2). Null for a deployment without a domain name. */
export const deploymentDomain = (
  { code, region, cloud, subdomain_enabled: hasSubdomain }: DomainNameParts,
  baseDomain: string,
): string | null => (hasSubdomain ? `${code}.${region}.${cloud}.${baseDomain}` : null);
