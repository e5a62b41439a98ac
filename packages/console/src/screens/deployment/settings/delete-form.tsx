import { useState } from 'react';
import { CodeRequest } from '../../../request/code-request.js';
import { TextField } from '../../../ui/form/field.js';
import styles from '../deployment.module.css';
import { DeploymentForm } from '../deployment-request.js';
import { Section } from '../../../ui/section.js';
import { useDeployment, useRefusal } from '../use-deployment.js';

/** Deletes the deployment after the person has typed its name, and the mailed code when it is protected. */
export function DeleteForm() {
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
