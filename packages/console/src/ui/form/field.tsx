import { useId, type ReactNode } from 'react';
import { ApiText } from '../text/api-text.js';
import styles from './field.module.css';

interface FieldProps {
  label: string;
  name: string;
  value: string;
  onChange: (value: string) => void;
  hint?: string;
  /** What the API refused. */
  issue?: string | undefined;
}

interface TextFieldProps extends FieldProps {
  type?: 'text' | 'email' | 'password' | 'date';
  autoComplete?: string;
  required?: boolean;
  inputMode?: 'numeric';
  maxLength?: number | undefined;
  autoFocus?: boolean;
}

/** A line of text with its label. */
export function TextField({ label, name, value, onChange, hint, issue, type = 'text', ...rest }: TextFieldProps) {
  return (
    <Labelled label={label} hint={hint} issue={issue}>
      {(ids) => (
        <input
          {...ids}
          {...rest}
          name={name}
          type={type}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Labelled>
  );
}

interface TextAreaProps extends FieldProps {
  required?: boolean;
  /** For JSON and other text with columns. */
  isCode?: boolean;
}

/** Some lines of text with their label. */
export function TextArea({ label, name, value, onChange, hint, issue, required, isCode }: TextAreaProps) {
  const lines = value.split('\n').length;
  return (
    <Labelled label={label} hint={hint} issue={issue}>
      {(ids) => (
        <textarea
          {...ids}
          className={isCode === true ? styles['code'] : undefined}
          name={name}
          value={value}
          required={required}
          rows={Math.min(Math.max(lines + 1, 3), 24)}
          spellCheck={isCode !== true}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Labelled>
  );
}

export interface Choice {
  value: string;
  label: string;
  /** Why the choice cannot be made. */
  disabledReason?: string | null;
}

/** A choice from a short list. */
export function SelectField({
  label,
  name,
  value,
  onChange,
  hint,
  issue,
  choices,
}: FieldProps & { choices: readonly Choice[] }) {
  return (
    <Labelled label={label} hint={hint} issue={issue}>
      {(ids) => (
        <select {...ids} name={name} value={value} onChange={(event) => onChange(event.target.value)}>
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value} disabled={Boolean(choice.disabledReason)}>
              {choice.disabledReason ? `${choice.label} (${choice.disabledReason})` : choice.label}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

interface Ids {
  id: string;
  'aria-describedby': string;
  'aria-invalid': boolean;
}

function Labelled({
  label,
  hint,
  issue,
  children,
}: {
  label: string;
  hint: string | undefined;
  issue: string | undefined;
  children: (ids: Ids) => ReactNode;
}) {
  const id = useId();
  return (
    <div className={styles['field']}>
      <label className={styles['label']} htmlFor={id}>
        {label}
      </label>
      {children({ id, 'aria-describedby': `${id}-hint ${id}-issue`, 'aria-invalid': issue !== undefined })}
      <Notes {...{ id, hint, issue }} />
    </div>
  );
}

interface NotesProps {
  /** The id of the field. */
  id: string;
  hint: string | undefined;
  issue: string | undefined;
}

/** What a person must know about a field, and what the API refused. A field names both as its description. */
export const Notes = ({ id, hint, issue }: NotesProps) => (
  <>
    <small id={`${id}-hint`} className={styles['hint']}>
      {hint !== undefined && <ApiText text={hint} />}
    </small>
    <small id={`${id}-issue`} className={styles['issue']} role="alert">
      {issue}
    </small>
  </>
);
