import { useQuery } from '@tanstack/react-query';
import { landlordAt } from '../../api/client.js';
import { structureQuery } from '../../api/queries.js';
import { Problem } from '../../ui/problem.js';
import { wordsOf } from '../../ui/text/states.js';
import styles from './tenant.module.css';

/** Often enough to see a node go. */
const HEALTH_MS = 15_000;

interface HealthProps {
  tenantId: number;
  /** Only this division. */
  divisionId?: number;
}

/** How the deployments are, as each Supervisor says. A Supervisor that does not answer is named. */
export function Health({ tenantId, divisionId }: HealthProps) {
  const { data: structure } = useQuery(structureQuery(tenantId));
  const urls = (structure?.divisions ?? [])
    .filter(({ id }) => divisionId === undefined || id === divisionId)
    .flatMap(({ environments }) => environments.flatMap(({ deployments }) => deployments))
    .flatMap(({ supervisor_url: url }) => url ?? []);
  return [...new Set(urls)].map((url) => (
    <HealthOfSupervisor key={url} tenantId={tenantId} url={url} {...(divisionId !== undefined && { divisionId })} />
  ));
}

function HealthOfSupervisor({ tenantId, divisionId, url }: HealthProps & { url: string }) {
  const { data, error } = useQuery({
    queryKey: ['tenant', tenantId, 'health', { division_id: divisionId }, url],
    queryFn: () => {
      const { summaries } = landlordAt(tenantId, url);
      return divisionId === undefined ? summaries.ofTenant() : summaries.ofDivision({ division_id: divisionId });
    },
    refetchInterval: HEALTH_MS,
    throwOnError: false,
  });
  if (!data) return error && <Problem error={error} />;
  const { deployments, nodes, cpu_percent: cpu, memory_percent: memory, disk_percent: disk } = data;
  const states = Object.entries(deployments.by_status).map(([status, count]) => `${count} ${wordsOf(status)}`);
  return (
    <dl className={styles['health']} aria-label={`Health at ${url}`}>
      <Figure name="Deployments" value={deployments.total} more={states.join(', ')} />
      <Figure
        name="Nodes"
        value={nodes.total}
        more={nodes.unreachable > 0 ? `${nodes.unreachable} unreachable` : 'all reachable'}
      />
      <Figure name="CPU" value={percent(cpu)} />
      <Figure name="Memory" value={percent(memory)} />
      <Figure name="Disk" value={percent(disk)} />
    </dl>
  );
}

const percent = (value: number | null): string => (value === null ? '–' : `${Math.round(value)} %`);

const Figure = ({ name, value, more = '' }: { name: string; value: string | number; more?: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>
      <strong>{value}</strong> <small>{more}</small>
    </dd>
  </div>
);
