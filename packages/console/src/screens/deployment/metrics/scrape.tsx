import { Code } from '../../../ui/text/code.js';
import { quoted } from '../../../lib/command-line.js';
import { Section } from '../../../ui/section.js';
import { useDeployment } from '../use-deployment.js';

/** How another program reads the newest numbers. It needs an API key with the permission deployment:read. */
export function Scrape() {
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
