import { isIP } from 'node:net';
import { CloudError } from '../cloud-error.js';

/** Where a name leads: one or several IP addresses, in any order, or the host name of one load balancer. */
export type NameTarget = string | readonly string[];

/**
 * The targets, each once and in a fixed order. A client of a name with several addresses chooses one of them.
 * @throws CloudError `invalid` for no target, and for a host name beside other targets: DNS allows one such record only
 */
export function targetsOf(fqdn: string, target: NameTarget): string[] {
  if (typeof target === 'string') return [target];
  const targets = [...new Set(target)].sort();
  const host = targets.find((one) => isIP(one) === 0);
  if (targets.length === 0) throw new CloudError({ code: 'invalid' }, `the name ${fqdn} has no target`);
  if (host !== undefined && targets.length > 1)
    throw new CloudError({ code: 'invalid' }, `the name ${fqdn} cannot lead to the host ${host} and to something else`);
  return targets;
}
