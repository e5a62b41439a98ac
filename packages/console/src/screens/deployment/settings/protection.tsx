import { Code } from '../../../ui/code.js';
import { Form } from '../../../ui/form/form.js';
import styles from '../deployment.module.css';
import { useDeployment } from '../use-deployment.js';
import { protectionLine } from './changes.js';
import { useChange } from './use-change.js';

/** A protected deployment is deleted only with a mailed code. */
export function Protection({ refusal }: { refusal: string | null }) {
  const { deploymentId, deployment } = useDeployment();
  const wanted = !deployment.protected;
  const change = useChange({ protected: wanted });
  return (
    <section className={styles['section']} aria-labelledby="protection">
      <h2 id="protection">Protection</h2>
      <div className={styles['columns']}>
        <Form action={wanted ? 'Protect' : 'End the protection'} send={change} disabledReason={refusal}>
          <p>
            {wanted
              ? 'The deployment is not protected. A protected deployment is deleted only with a code that is mailed to the organization.'
              : 'The deployment is protected. Its deletion needs a code that is mailed to the organization.'}
          </p>
        </Form>
        <Code label="Command for the protection" text={protectionLine(deploymentId, wanted)} />
      </div>
    </section>
  );
}
