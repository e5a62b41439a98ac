import { useId } from 'react';
import { Checkbox } from './checkbox.js';
import type { Choice } from './field.js';
import { Words } from '../text/words.js';
import styles from './field.module.css';

interface CheckboxesProps {
  label: string;
  name: string;
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
  choices: readonly Choice[];
  hint?: string | undefined;
  issue?: string | undefined;
}

/** Any number of choices from a list. The choices stay in the order of the list. */
export function Checkboxes({ label, name, chosen, onChange, choices, hint, issue }: CheckboxesProps) {
  const id = useId();
  return (
    <fieldset className={styles['group']} aria-describedby={`${id}-hint ${id}-issue`}>
      <legend>{label}</legend>
      {/* A list that scrolls needs the focus for people without a mouse: its checkboxes have it. */}
      <div className={styles['choices']}>
        {choices.map((choice) => (
          <Checkbox
            key={choice.value}
            name={`${name}-${choice.value}`}
            label={choice.label}
            isChecked={chosen.includes(choice.value)}
            onChange={(isChecked) =>
              onChange(
                choices
                  .map(({ value }) => value)
                  .filter((one) => (one === choice.value ? isChecked : chosen.includes(one))),
              )
            }
          />
        ))}
      </div>
      <small id={`${id}-hint`} className={styles['hint']}>
        {hint !== undefined && <Words text={hint} />}
      </small>
      <small id={`${id}-issue`} className={styles['issue']} role="alert">
        {issue}
      </small>
    </fieldset>
  );
}
