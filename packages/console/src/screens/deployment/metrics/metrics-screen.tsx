import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { runtimeQuery } from '../../../api/queries.js';
import { seriesQuery } from '../../../api/queries/metrics.js';
import { Chart, NodeKey } from '../../../chart/chart.js';
import { MEASURES } from '../../../chart/measures.js';
import { linesOf } from '../../../chart/series.js';
import { commandLine, quoted } from '../../../lib/command-line.js';
import { Code } from '../../../ui/text/code.js';
import { Problem } from '../../../ui/problem.js';
import { Section } from '../../../ui/section.js';
import { useDeployment } from '../use-deployment.js';
import { MetricsTable, type Measured } from './metrics-table.js';
import styles from './metrics.module.css';
import { RANGE_NAMES, RANGES, type Range } from './search.js';

/** What the brokers of the nodes have reported over time. */
export function MetricsScreen() {
  const { deploymentId } = useDeployment();
  const { range = '1h' } = useSearch({ from: '/signed-in/t/$tenantId/deployments/$deploymentId/metrics' });
  const { nodes, measured, error } = useMeasured(RANGES[range]);
  return (
    <Section title="Metrics">
      <Ranges chosen={range} />
      {error && <Problem error={error} />}
      {measured?.length === 0 && <p>No node has reported a value in this time. A first value comes within a minute.</p>}
      {measured && measured.length > 0 && (
        <>
          {nodes.length > 1 && <NodeKey nodes={nodes.map(({ name }) => name)} />}
          <div className={styles['charts']}>
            {measured.map(({ measure, lines }) => (
              <Chart key={measure.name} measure={measure} lines={lines} nodes={nodes.map(({ name }) => name)} />
            ))}
          </div>
          <MetricsTable measured={measured} nodes={nodes} range={range} />
        </>
      )}
      {nodes.map(({ id, name }) => (
        <div key={id}>
          <p>The numbers of {name} on the command line:</p>
          <Code
            label={`Command for ${name}`}
            text={commandLine({
              command: 'metrics get-series',
              words: [String(id), 'broker'],
              options: { deployment: deploymentId },
            })}
          />
        </div>
      ))}
      <Scrape />
    </Section>
  );
}

/** Real links, so that each range has an address. */
const Ranges = ({ chosen }: { chosen: Range }) => (
  <nav className={styles['ranges']} aria-label="Time range">
    {Object.entries(RANGE_NAMES).map(([range, name]) => (
      <Link
        key={range}
        to="."
        search={range === '1h' ? {} : { range: range as Range }}
        activeOptions={{ exact: true, includeSearch: true }}
        aria-current={range === chosen ? 'true' : undefined}
      >
        {name}
      </Link>
    ))}
  </nav>
);

/** The nodes, and the measures that they report. Undefined: nothing is known yet. */
function useMeasured(minutes: number) {
  const { tenantId, deploymentId, deployment } = useDeployment();
  const runtime = useQuery({ ...runtimeQuery(tenantId, deploymentId), enabled: deployment.supervisor_url !== null });
  const nodes = runtime.data?.nodes ?? [];
  const ids = nodes.map(({ id }) => id);
  const series = useQuery({
    ...seriesQuery(tenantId, deploymentId, ids, minutes),
    enabled: ids.length > 0,
  });
  const { data } = series;
  const measured: readonly Measured[] | undefined =
    data &&
    MEASURES.map((measure) => ({ measure, lines: linesOf(data, measure) })).filter(({ lines }) =>
      lines.values.some((values) => values.some((value) => value !== null)),
    );
  return { nodes, measured, error: runtime.error ?? series.error };
}

/** How another program reads the newest numbers. It needs an API key with the permission deployment:read. */
function Scrape() {
  const { deploymentId, deployment } = useDeployment();
  if (deployment.supervisor_url === null) return null;
  const address = `${deployment.supervisor_url}/deployments/${deploymentId}/metrics/prometheus`;
  return (
    <Section title="For Prometheus">
      <p>
        This address has the newest numbers as OpenMetrics text, for an API key with the permission{' '}
        <code>deployment:read</code>:
      </p>
      <Code label="Address for Prometheus" text={address} />
      <Code label="Command for Prometheus" text={`curl -H "ld-api-key: $LANDLORD_API_KEY" ${quoted(address)}`} />
    </Section>
  );
}
