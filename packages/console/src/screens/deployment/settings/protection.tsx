import { DeploymentForm } from '../deployment-request.js';
import { Section } from '../../../ui/section.js';
import { useDeployment } from '../use-deployment.js';

/** A protected deployment is deleted only with a mailed code. */
export function Protection() {
  const { deployment } = useDeployment();
  const wanted = !deployment.protected;
  return (
    <Section title="Protection">
      <DeploymentForm
        request="deployments.update"
        fields={[]}
        fixed={{ protected: wanted }}
        action={wanted ? 'Protect' : 'End the protection'}
        {...(!wanted && {
          kind: 'danger' as const,
          question: 'End the protection? Then nobody needs a code to delete the deployment.',
        })}
      >
        {() => (
          <p>
            {wanted
              ? 'The deployment is not protected. A protected deployment is deleted only with a code that is mailed to the organization.'
              : 'The deployment is protected. Its deletion needs a code that is mailed to the organization.'}
          </p>
        )}
      </DeploymentForm>
    </Section>
  );
}
