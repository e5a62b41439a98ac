import { CloudError } from '../src/cloud-error.js';
import type { DnsProvider } from '../src/dns/dns-provider.js';
import type { Rfc2136Options } from '../src/dns/rfc2136/rfc2136-dns.js';

/** The keys of the server in the scenario. Only the first may change the zone. */
export const SCENARIO_KEYS = {
  landlord: 'c3RvcnkgYWJvdXQgdGhlIG5hbWVzIG9mIEJJTkQ=',
  stranger: 'YSBzZWNyZXQgdGhhdCBvcGVucyBubyB6b25lLi4uLi4=',
};
export const SCENARIO_ZONE = 'scenario.test';
/** A zone that nobody may change. */
export const CLOSED_ZONE = 'closed.test';

const OWNER = { installation: 'scenario', deployment_id: 7 };
const FQDN = `d-1.us-east-1.aws.${SCENARIO_ZONE}`;
const keyOf = (name: keyof typeof SCENARIO_KEYS, secret = SCENARIO_KEYS[name]) => ({
  name,
  secret: Buffer.from(secret, 'base64'),
});

/** Creates a driver for the server of the scenario, with some other options. */
export type DriverOf = (over: Partial<Rfc2136Options>) => DnsProvider;

/**
 * Calls of the driver and what each call returns. It is the same with BIND and with the recorded packets of BIND. `clock`: the
 * time of the server, in milliseconds.
 */
export async function dnsScenario(driverOf: DriverOf, clock: number): Promise<string[]> {
  const common = { zone: SCENARIO_ZONE, key: keyOf('landlord'), installation: 'scenario', now: () => clock };
  const dns = driverOf(common);
  const answers: string[] = [];
  const note = async (what: string, call: Promise<unknown>): Promise<void> => {
    const answer = await call.then(observed, (error: unknown) => {
      if (error instanceof CloudError) return `${error.code}: ${comparable(error.message)}`;
      throw error;
    });
    answers.push(`${what} -> ${answer}`);
  };
  const look = () => dns.describe([FQDN]).then((found) => [...found.keys()].join());
  const publish = (over: Partial<Rfc2136Options>, fqdn = FQDN) =>
    driverOf({ ...common, ...over }).ensure(fqdn, '192.0.2.1', OWNER);

  await note('look', look());
  await note('publish', dns.ensure(FQDN, '192.0.2.1', OWNER));
  await note('publish again', dns.ensure(FQDN, '192.0.2.1', OWNER));
  await note('another address', dns.ensure(FQDN, '2001:db8::17', OWNER));
  await note('a load balancer', dns.ensure(FQDN, 'lb-1.elb.example.net', OWNER));
  await note('look', look());
  await note('another installation publishes', publish({ installation: 'other' }));
  await note('another installation removes', driverOf({ ...common, installation: 'other' }).destroy(FQDN));
  await note('look', look());
  await note('remove', dns.destroy(FQDN));
  await note('remove again', dns.destroy(FQDN));
  await note('look', look());
  await note('a name of the operator', publish({}, `ns.${SCENARIO_ZONE}`));
  await note('an unknown key', publish({ key: { ...keyOf('landlord'), name: 'nobody' } }));
  await note('a wrong secret', publish({ key: keyOf('landlord', SCENARIO_KEYS.stranger) }));
  await note('a key without the right', publish({ key: keyOf('stranger') }));
  await note('a clock that is wrong', publish({ now: () => clock - 3_600_000 }));
  await note('a zone without updates', publish({ zone: CLOSED_ZONE }, `d-1.${CLOSED_ZONE}`));
  await note('a zone of another server', publish({ zone: 'elsewhere.test' }, 'd-1.elsewhere.test'));
  return answers;
}

/** What the calls return. */
export const SCENARIO_ANSWERS = [
  'look -> ',
  'publish -> active',
  'publish again -> active',
  'another address -> active',
  'a load balancer -> active',
  `look -> ${FQDN}`,
  `another installation publishes -> invalid: the name ${FQDN} exists in the zone, and this installation has not published it`,
  'another installation removes -> done',
  `look -> ${FQDN}`,
  'remove -> done',
  'remove again -> done',
  'look -> ',
  `a name of the operator -> invalid: the name ns.${SCENARIO_ZONE} exists in the zone, and this installation has not published it`,
  'an unknown key -> denied: the DNS server server does not accept the key nobody (BADKEY)',
  'a wrong secret -> denied: the DNS server server does not accept the key landlord (BADSIG)',
  `a key without the right -> denied: the DNS server server does not let the key stranger change this name of zone ${SCENARIO_ZONE} (REFUSED)`,
  'a clock that is wrong -> unavailable: the clocks of the DNS server server and of this machine differ by 60 minutes (BADTIME)',
  `a zone without updates -> denied: the DNS server server does not let the key landlord change this name of zone ${CLOSED_ZONE} (REFUSED)`,
  'a zone of another server -> invalid: the DNS server server is not the server of zone elsewhere.test (NOTAUTH)',
];

/** Without the port of the server, and without the second in which the server answered. */
const comparable = (message: string): string =>
  message
    .replace(/127\.0\.0\.1:\d+/, 'server')
    .replace(/by (\d+) seconds/, (_all, seconds) => `by ${Math.round(Number(seconds) / 60)} minutes`);

function observed(answer: unknown): string {
  if (typeof answer === 'string') return answer;
  return answer === undefined ? 'done' : (answer as { state: string }).state;
}
