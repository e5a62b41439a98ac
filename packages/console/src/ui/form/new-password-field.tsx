import { useState } from 'react';
import { Checkbox } from './checkbox.js';
import styles from './field.module.css';
import { TextField } from './field.js';

interface NewPasswordFieldProps {
  label: string;
  name: string;
  value: string;
  onChange: (value: string) => void;
  issue?: string | undefined;
}

/** A password that the person chooses. It is typed once, and can be shown. */
export function NewPasswordField(props: NewPasswordFieldProps) {
  const [isShown, setShown] = useState(false);
  return (
    <div className={styles['password']}>
      <TextField
        {...props}
        type={isShown ? 'text' : 'password'}
        autoComplete="new-password"
        hint="At least 10 characters. No common password."
        required
      />
      <Checkbox label="Show what I type" name="shown" isChecked={isShown} onChange={setShown} />
    </div>
  );
}
