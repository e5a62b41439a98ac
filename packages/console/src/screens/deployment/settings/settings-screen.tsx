import { Link } from '@tanstack/react-router';
import { useDeployment, useLastOperation, useRefusal } from '../use-deployment.js';
import { DeploymentForm, DeploymentButton } from '../deployment-request.js';
import { Section } from '../../../ui/section.js';
import { useState } from 'react';
import { CodeRequest } from '../../../request/code-request.js';
import { TextField } from '../../../ui/form/field.js';
import styles from '../deployment.module.css';

/** Name, limits, protection and deletion. */
export function SettingsScreen() {
  const { tenantId, deployment, isGone } = useDeployment();
  const operation = useLastOperation();
  if (isGone)
    return (
      <p role="status">
        The deployment is deleted.{' '}
        <Link to="/t/$tenantId" params={{ tenantId }}>
          Go to the deployments
        </Link>
      </p>
    );
  if (deployment.status === 'deleting' || operation?.type === 'delete_deployment')
    return <p role="status">The deployment is being deleted.</p>;
  return (
    <>
      <NameForm />
      <Limits />
      <Protection />
      <DeleteForm />
    </>
  );
}

function NameForm() {
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

/** How long telemetry stays, and the spend at which the organization is notified. */
function Limits() {
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

/** A protected deployment is deleted only with a mailed code. */
function Protection() {
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

/** Deletes the deployment after the person has typed its name, and the mailed code when it is protected. */
function DeleteForm() {
  const { deployment } = useDeployment();
  const [name, setName] = useState('');
  return (
    <Section title="Delete the deployment">
      <p>
        The nodes, the data, the configuration, the backups and the telemetry are deleted, too, and do not come back.
      </p>
      {deployment.protected && <MailCode />}
      <DeploymentForm
        request="deployments.delete"
        fields={deployment.protected ? ['code'] : []}
        own={{ code: { label: 'Code from the mail', hint: 'The deployment is protected.', isRequired: true } }}
        action="Delete the deployment"
        kind="danger"
        disabledReason={name === deployment.name ? null : 'Type the name first.'}
      >
        {() => (
          <TextField
            {...{ label: 'Name of the deployment', name: 'confirmation', value: name, autoComplete: 'off' }}
            hint={`Type ${deployment.name} to confirm.`}
            onChange={setName}
          />
        )}
      </DeploymentForm>
    </Section>
  );
}

/** The code allows this deletion, and nothing else. */
function MailCode() {
  const { tenantId, deployment } = useDeployment();
  const { id: deployment_id, division_id, environment_id } = deployment;
  return (
    <div className={styles['gap']}>
      <CodeRequest
        tenantId={tenantId}
        action="delete_deployment"
        ids={{ division_id, environment_id, deployment_id }}
        disabledReason={useRefusal('deployment:manage')}
      />
    </div>
  );
}
