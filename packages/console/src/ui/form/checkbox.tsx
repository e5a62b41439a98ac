import { useId } from 'react';
import { ApiText } from '../text/api-text.js';
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
          <small id={`${id}-hint`} className={styles['hint']}>
            {hint !== undefined && <ApiText text={hint} />}
          </small>
          <small id={`${id}-issue`} className={styles['issue']} role="alert">
            {issue}
          </small>
        </div>
      )}
    </>
  );
}
