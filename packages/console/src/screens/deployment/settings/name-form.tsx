import { DeploymentForm } from '../deployment-request.js';
import { Section } from '../../../ui/section.js';
import { useDeployment } from '../use-deployment.js';

export function NameForm() {
  const { deployment } = useDeployment();
  return (
    <Section title="Name and description">
      <DeploymentForm
        request="deployments.update"
        fields={['name', 'description']}
        record={{ ...deployment }}
        action="Save"
      />
    </Section>
  );
}
