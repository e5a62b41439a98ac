import { ConfigInvalid } from '@libs/domain/settings';
import { StartRefused } from '@libs/domain/starts';
import { fail, ok, type Finding } from '@libs/operator';
import type { LauncherConfig } from '../../config.js';
import { checkBrokerPrograms } from '../../start/check-broker-programs.js';

const CHECK = 'broker programs';

/** The programs of brokers, checked as a start does. Nothing for settings that are invalid, because another check reports them. */
export async function checkPrograms(config: Pick<LauncherConfig, 'inherited' | 'dataDir'>): Promise<Finding[]> {
  try {
    const { nats, iggy } = await checkBrokerPrograms(config);
    const findings = [
      ...(nats ? [described('nats-server', nats)] : []),
      ...(iggy ? [described('iggy-server', iggy), iggy.connectors ?? 'no iggy-connectors'] : []),
    ];
    return [ok(CHECK, ['embedded', ...findings].join(', '))];
  } catch (error) {
    if (error instanceof ConfigInvalid) return [];
    if (!(error instanceof StartRefused)) throw error;
    return [fail(CHECK, error.message, 'Landlord does not start before this changes.')];
  }
}

const described = (name: string, { path, release }: { path: string; release: string | null }): string =>
  `${name} ${release ?? 'for existing nodes'} (${path})`;
