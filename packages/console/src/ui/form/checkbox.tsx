import { useId } from 'react';
import { Notes } from './field.js';
import styles from './field.module.css';

interface CheckboxProps {
  label: string;
  name: string;
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
  hint?: string | undefined;
  issue?: string | undefined;
}

export function Checkbox({ label, name, isChecked, onChange, hint, issue }: CheckboxProps) {
  const id = useId();
  const isDescribed = (hint ?? '') !== '' || issue !== undefined;
  return (
    <>
      <label className={styles['checkbox']}>
        <input
          type="checkbox"
          name={name}
          checked={isChecked}
          aria-describedby={isDescribed ? `${id}-hint ${id}-issue` : undefined}
          onChange={(event) => onChange(event.target.checked)}
        />
        {label}
      </label>
      {isDescribed && (
        <div className={styles['below']}>
          <Notes {...{ id, hint, issue }} />
        </div>
      )}
    </>
  );
}
