import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { landlordOf } from '../../../api/client.js';
import { Button } from '../../../ui/button.js';
import { Code } from '../../../ui/code.js';
import { TextField } from '../../../ui/form/field.js';
import { Form } from '../../../ui/form/form.js';
import { Problem } from '../../../ui/problem.js';
import styles from '../deployment.module.css';
import { useDeployment } from '../use-deployment.js';
import { codeLine, deletionLine, deletionOf } from './changes.js';
import { pathOf } from './use-change.js';

/** Deletes the deployment after the person has typed its name, and the mailed code when it is protected. */
export function DeleteForm({ refusal }: { refusal: string | null }) {
  const { deploymentId, deployment } = useDeployment();
  const [name, setName] = useState('');
  const [code, setCode] = useState('');
  const given = deployment.protected ? code.trim() : '';
  const remove = useDeletion(given);
  const lacking = name === deployment.name ? lackingCode(deployment.protected, given) : 'Type the name first.';
  return (
    <section className={styles['section']} aria-labelledby="delete">
      <h2 id="delete">Delete the deployment</h2>
      <p>
        The nodes, the data, the configuration, the backups and the telemetry are deleted, too, and do not come back.
      </p>
      <div className={styles['columns']}>
        <Form action="Delete the deployment" kind="danger" send={remove} disabledReason={refusal ?? lacking}>
          {deployment.protected && <MailCode refusal={refusal} />}
          {deployment.protected && (
            <TextField label="Code" name="code" value={code} onChange={setCode} autoComplete="one-time-code" />
          )}
          <TextField
            {...{ label: 'Name of the deployment', name: 'confirmation', value: name, autoComplete: 'off' }}
            hint={`Type ${deployment.name} to confirm.`}
            onChange={setName}
          />
        </Form>
        <Code label="Command that deletes the deployment" text={deletionLine(deploymentId, given)} />
      </div>
    </section>
  );
}

const lackingCode = (isProtected: boolean, code: string): string | null =>
  isProtected && code === '' ? 'Type the code first.' : null;

function useDeletion(code: string) {
  const { tenantId, deployment } = useDeployment();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => landlordOf(tenantId).deployments.delete({ ...pathOf(deployment), ...(code !== '' && { code }) }),
    // The deployment names its deletion, which the screen then shows.
    onSuccess: () => queries.invalidateQueries({ queryKey: ['tenant', tenantId] }),
  });
}

function MailCode({ refusal }: { refusal: string | null }) {
  const { tenantId, deployment } = useDeployment();
  const action = deletionOf(tenantId, deployment);
  const mail = useMutation({ mutationFn: () => landlordOf(tenantId).protectionCodes.request({ action }) });
  return (
    <div className={styles['gap']}>
      <Button isBusy={mail.isPending} disabledReason={refusal} onPress={() => mail.mutate()}>
        Mail a code
      </Button>
      {mail.isSuccess && <p role="status">A code was mailed to the contact address of the organization.</p>}
      {mail.error && <Problem error={mail.error} />}
      <Code label="Command that mails a code" text={codeLine(action)} />
    </div>
  );
}
