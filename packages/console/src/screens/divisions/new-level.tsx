import { useState } from 'react';
import { TextField } from '../../ui/form/field.js';
import { Form } from '../../ui/form/form.js';
import { issuesOf } from '../../ui/problem.js';
import type { useChange } from './use-change.js';

interface NewLevelProps {
  label: string;
  add: ReturnType<typeof useChange<string>>;
}

/** The name of a new division or environment. */
export function NewLevel({ label, add }: NewLevelProps) {
  const [name, setName] = useState('');
  const send = { ...add, mutate: () => add.mutate(name, { onSuccess: () => setName('') }) };
  return (
    <details>
      <summary>{label}</summary>
      <Form action="Create" send={send} disabledReason={name.trim() === '' ? 'Give a name first.' : null}>
        <TextField label="Name" name="name" value={name} onChange={setName} issue={issuesOf(add.error)['name']} />
      </Form>
    </details>
  );
}
