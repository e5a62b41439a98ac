import { readDnsServer, readTsigKey } from '@libs/cloud';
import type { SettingProblem } from '@libs/domain/settings';
import { z } from 'zod';

/** The settings of the driver `rfc2136`, in addition to `LANDLORD_DNS`. */
export const DNS_SETTINGS = {
  DNS_ZONE: z
    .string()
    .regex(/^[\w-]+(\.[\w-]+)*$/, 'must be a name of DNS, such as cloud.example.com')
    .optional()
    .describe('The zone that the driver `rfc2136` updates. It must contain `BASE_DOMAIN`. Unset: `BASE_DOMAIN`.'),
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

/** Every contradiction between the settings. The server and its key can stay set when new names have another driver. */
export function dnsProblems(given: Record<string, string | undefined>, baseDomain: string): SettingProblem[] {
  const { DNS_SERVER: server, DNS_TSIG_KEY: key, DNS_ZONE: zone = baseDomain, LANDLORD_DNS: driver } = given;
  if (driver !== 'rfc2136' && !server && !key) return [];
  const problems: SettingProblem[] = [];
  const reason = driver === 'rfc2136' ? 'LANDLORD_DNS=rfc2136' : 'DNS_TSIG_KEY';
  if (!server) problems.push({ name: 'DNS_SERVER', expected: `is required with ${reason}` });
  if (!key)
    problems.push({ name: 'DNS_TSIG_KEY', expected: 'is required with DNS_SERVER; DNS_TSIG_KEY_FILE can name a file' });
  if (!`.${baseDomain}`.toLowerCase().endsWith(`.${zone}`.toLowerCase()))
    problems.push({ name: 'DNS_ZONE', expected: `must contain BASE_DOMAIN, which is ${baseDomain}` });
  return problems;
}
