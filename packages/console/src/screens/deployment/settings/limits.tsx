import { DeploymentButton, DeploymentForm } from '../deployment-request.js';
import { Section } from '../../../ui/section.js';
import { useDeployment } from '../use-deployment.js';

/** How long telemetry stays, and the spend at which the organization is notified. */
export function Limits() {
  const { deployment } = useDeployment();
  return (
    <>
      <Section title="Telemetry">
        <DeploymentForm
          request="deployments.setRetention"
          own={{
            'retention.telemetry_days': {
              label: 'Days of metrics, logs and heartbeats',
              hint: 'At most the days of the managed tier.',
            },
          }}
          initial={{ retention: deployment.retention }}
          action="Save the days"
        />
      </Section>
      <Section title="Spend limit">
        <p>The organization is notified when the spend of a month reaches the limit. Nothing is stopped.</p>
        <DeploymentForm
          request="deployments.setSpendLimit"
          own={{ spend_limit: { label: 'USD a month', hint: '' } }}
          initial={{ spend_limit: deployment.spend_limit }}
          action="Save the limit"
        />
        <DeploymentButton
          request="deployments.setSpendLimit"
          input={{ spend_limit: null }}
          action="Remove the limit"
          disabledReason={deployment.spend_limit === null ? 'There is no limit.' : null}
        />
      </Section>
    </>
  );
}
