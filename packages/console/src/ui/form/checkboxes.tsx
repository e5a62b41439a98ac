import { useId, useState } from 'react';
import { Checkbox } from './checkbox.js';
import { Notes, TextField, type Choice } from './field.js';
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

/** A longer list has a field that filters it. */
const MOST_SHOWN = 100;

/** Any number of choices from a list. The choices stay in the order of the list. */
export function Checkboxes({ label, name, chosen, onChange, choices, hint, issue }: CheckboxesProps) {
  const id = useId();
  const [filter, setFilter] = useState('');
  const shown = shownOf(choices, chosen, filter);
  return (
    <fieldset className={styles['group']} aria-describedby={`${id}-hint ${id}-issue`}>
      <legend>{label}</legend>
      {choices.length > MOST_SHOWN && (
        <TextField
          label={`Filter: ${label}`}
          name={`${name}-filter`}
          hint={`${shown.length} of ${choices.length} are shown.`}
          value={filter}
          onChange={setFilter}
        />
      )}
      {/* A list that scrolls needs the focus for people without a mouse: its checkboxes have it. */}
      <div className={styles['choices']}>
        {shown.map((choice) => (
          <Checkbox
            key={choice.value}
            name={`${name}-${choice.value}`}
            label={choice.label}
            isChecked={chosen.includes(choice.value)}
            onChange={(isChecked) => onChange(toggled(choices, chosen, choice.value, isChecked))}
          />
        ))}
      </div>
      <Notes {...{ id, hint, issue }} />
    </fieldset>
  );
}

/** The first choices that fit the filter. A chosen one stays on the screen, also if it does not fit. */
function shownOf(choices: readonly Choice[], chosen: readonly string[], filter: string): readonly Choice[] {
  if (choices.length <= MOST_SHOWN) return choices;
  const [wanted, picked] = [filter.toLowerCase(), new Set(chosen)];
  const fitting = choices.filter(({ value, label }) => !picked.has(value) && label.toLowerCase().includes(wanted));
  const shown = new Set(fitting.slice(0, MOST_SHOWN));
  return choices.filter((choice) => picked.has(choice.value) || shown.has(choice));
}

/** The choices after one of them was checked or unchecked, in the order of the list. */
const toggled = (choices: readonly Choice[], chosen: readonly string[], value: string, isChecked: boolean) =>
  choices.map((one) => one.value).filter((one) => (one === value ? isChecked : chosen.includes(one)));
