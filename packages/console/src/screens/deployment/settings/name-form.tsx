import { useState } from 'react';
import { Code } from '../../../ui/code.js';
import { TextField } from '../../../ui/form/field.js';
import { Form } from '../../../ui/form/form.js';
import { issuesOf } from '../../../ui/problem.js';
import styles from '../deployment.module.css';
import { useDeployment } from '../use-deployment.js';
import { changeLine, changesOf } from './changes.js';
import { useChange } from './use-change.js';

export function NameForm({ refusal }: { refusal: string | null }) {
  const { deploymentId, deployment } = useDeployment();
  const [texts, setTexts] = useState({ name: deployment.name, description: deployment.description });
  const changes = changesOf(deployment, texts);
  const change = useChange(changes);
  const issues = issuesOf(change.error);
  const isSame = Object.keys(changes).length === 0;
  return (
    <section className={styles['section']} aria-labelledby="name">
      <h2 id="name">Name and description</h2>
      <div className={styles['columns']}>
        <Form action="Save" send={change} disabledReason={refusal ?? (isSame ? 'Nothing has changed.' : null)}>
          <TextField
            {...{ label: 'Name', name: 'name', value: texts.name, issue: issues['name'], required: true }}
            onChange={(name) => setTexts((now) => ({ ...now, name }))}
          />
          <TextField
            {...{ label: 'Description', name: 'description', value: texts.description, issue: issues['description'] }}
            onChange={(description) => setTexts((now) => ({ ...now, description }))}
          />
        </Form>
        <Code label="Command that saves the name" text={changeLine(deploymentId, changes)} />
      </div>
    </section>
  );
}
