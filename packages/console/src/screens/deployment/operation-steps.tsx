import type { Main } from '@landlord/sdk';
import { Status } from '../../ui/text/status.js';
import styles from './deployment.module.css';
import { Section } from '../../ui/section.js';

/** The steps of an operation as far as they have begun. */
export function OperationSteps({ operation }: { operation: Main.OperationView }) {
  const { id, type, status, progress, reason, steps } = operation;
  return (
    <Section
      title={
        <>
          {type.replaceAll('_', ' ')} <Status of={status} isWork />
        </>
      }
    >
      <p>
        <progress value={progress} max={100} aria-label={`Progress of operation ${id}`} /> {progress} %
      </p>
      {reason !== null && <p>{reason}</p>}
      <Steps steps={steps} />
    </Section>
  );
}

/** A step that begins again is in the list again. */
export const Steps = ({ steps }: { steps: readonly Main.OperationStepView[] }) => (
  <ol className={styles['steps']} aria-live="polite">
    {steps.map((step, at) => (
      <li key={`${at} ${step.name}`}>
        <span>{step.name.replaceAll('_', ' ')}</span>
        <Status of={step.status} isWork />
        {step.attempts > 1 && <span>{step.attempts} attempts</span>}
        {step.error !== null && <span className={styles['error']}>{step.error}</span>}
      </li>
    ))}
  </ol>
);
