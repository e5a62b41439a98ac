import { readDnsServer, readTsigKey } from '@libs/cloud';
import type { SettingProblem } from '@libs/domain/settings';
import { z } from 'zod';

/** The settings of the drivers of names, in addition to `LANDLORD_DNS`. */
export const DNS_SETTINGS = {
  DNS_ZONE: z
    .string()
    .regex(/^[\w-]+(\.[\w-]+)*$/, 'must be a name of DNS, such as cloud.example.com')
    .optional()
    .describe(
      'The zone that the drivers `rfc2136`, `route53` and `clouddns` update. It must contain `BASE_DOMAIN`. Unset: `BASE_DOMAIN`.',
    ),
  DNS_ROUTE53_ZONE_ID: z
    .string()
    .regex(/^Z[A-Z0-9]{1,31}$/, 'must be the id of a hosted zone, such as Z0123456789ABCDEFGHIJ')
    .optional()
    .describe(
      'The id of the hosted zone at AWS that the driver `route53` changes. Keep this setting while names of `route53` exist.',
    ),
  DNS_CLOUDDNS_ZONE: z
    .string()
    .regex(
      /^[a-z][a-z0-9-]{4,28}[a-z0-9]\/[a-z][a-z0-9-]{0,62}$/,
      'must be <project>/<managed zone>, such as my-project/my-zone',
    )
    .optional()
    .describe(
      'The managed zone at Google Cloud that the driver `clouddns` changes: `<project>/<managed zone>`. The access is the one of the driver `gcp`. Keep this setting while names of `clouddns` exist.',
    ),
  DNS_AWS_ACCESS_KEY_ID: z
    .string()
    .optional()
    .describe(
      'The key of the driver `route53`. Unset: the usual AWS settings. Set it together with `DNS_AWS_SECRET_ACCESS_KEY`.',
    ),
  DNS_AWS_SECRET_ACCESS_KEY: z
    .string()
    .optional()
    .describe(
      'The secret of `DNS_AWS_ACCESS_KEY_ID`. Use `DNS_AWS_SECRET_ACCESS_KEY_FILE`, so that the secret is in no environment.',
    ),
  DNS_SERVER: z
    .string()
    .refine((text) => readDnsServer(text) !== null, 'must be a host or an address, with a port if it is not 53')
    .optional()
    .describe(
      'The DNS server that the driver `rfc2136` updates over TCP: `host`, `host:port` or `[address]:port`. Keep this setting while names of `rfc2136` exist.',
    ),
  DNS_TSIG_KEY: z
    .string()
    .refine(
      (text) => readTsigKey(text) !== null,
      'must be a key statement with algorithm hmac-sha256, as tsig-keygen writes it',
    )
    .optional()
    .describe(
      'The key that signs the updates, as `tsig-keygen` writes it. Use `DNS_TSIG_KEY_FILE`, so that the key is in no environment.',
    ),
};

/** The drivers that change a zone, and the settings that name one. */
const ZONED = ['rfc2136', 'route53', 'clouddns'];
const ZONE_SETTINGS = ['DNS_SERVER', 'DNS_ROUTE53_ZONE_ID', 'DNS_CLOUDDNS_ZONE'];

/** Every contradiction between the settings. A driver's settings can stay set when new names have another driver. */
export function dnsProblems(settings: Record<string, string | undefined>, baseDomain: string): SettingProblem[] {
  const problems = [...rfc2136Problems(settings), ...route53Problems(settings), ...cloudDnsProblems(settings)];
  const { DNS_ZONE: zone = baseDomain, LANDLORD_DNS: driver } = settings;
  const isUsed = ZONED.includes(driver ?? '') || ZONE_SETTINGS.some((name) => settings[name]);
  if ((isUsed || settings['DNS_TSIG_KEY']) && !`.${baseDomain}`.toLowerCase().endsWith(`.${zone}`.toLowerCase()))
    problems.push({ name: 'DNS_ZONE', expected: `must contain BASE_DOMAIN, which is ${baseDomain}` });
  return problems;
}

function rfc2136Problems(settings: Record<string, string | undefined>): SettingProblem[] {
  const { DNS_SERVER: server, DNS_TSIG_KEY: key, LANDLORD_DNS: driver } = settings;
  if (driver !== 'rfc2136' && !server && !key) return [];
  const reason = driver === 'rfc2136' ? 'LANDLORD_DNS=rfc2136' : 'DNS_TSIG_KEY';
  const keyExpected = 'is required with DNS_SERVER; DNS_TSIG_KEY_FILE can name a file';
  return [
    ...(server ? [] : [{ name: 'DNS_SERVER', expected: `is required with ${reason}` }]),
    ...(key ? [] : [{ name: 'DNS_TSIG_KEY', expected: keyExpected }]),
  ];
}

function cloudDnsProblems(settings: Record<string, string | undefined>): SettingProblem[] {
  if (settings['LANDLORD_DNS'] !== 'clouddns' || settings['DNS_CLOUDDNS_ZONE']) return [];
  return [{ name: 'DNS_CLOUDDNS_ZONE', expected: 'is required with LANDLORD_DNS=clouddns' }];
}

function route53Problems(settings: Record<string, string | undefined>): SettingProblem[] {
  const { DNS_AWS_ACCESS_KEY_ID: id, DNS_AWS_SECRET_ACCESS_KEY: secret } = settings;
  const isAlone = Boolean(id) !== Boolean(secret);
  const problems: SettingProblem[] = [];
  if (settings['LANDLORD_DNS'] === 'route53' && !settings['DNS_ROUTE53_ZONE_ID'])
    problems.push({ name: 'DNS_ROUTE53_ZONE_ID', expected: 'is required with LANDLORD_DNS=route53' });
  if (isAlone)
    problems.push({
      name: id ? 'DNS_AWS_SECRET_ACCESS_KEY' : 'DNS_AWS_ACCESS_KEY_ID',
      expected: 'DNS_AWS_ACCESS_KEY_ID and DNS_AWS_SECRET_ACCESS_KEY go together',
    });
  return problems;
}
