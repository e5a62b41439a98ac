import { useState } from 'react';
import type { LogFilter } from '../../../api/queries/logs.js';
import { Button } from '../../../ui/button.js';
import { SelectField, TextField } from '../../../ui/form/field.js';
import styles from './logs.module.css';
import { LEVELS, searchOfLogs } from './search.js';

interface LogFiltersProps {
  filter: LogFilter;
  onChange: (filter: LogFilter) => void;
}

const CHOICES = [{ value: '', label: 'every level' }, ...LEVELS.map((level) => ({ value: level, label: level }))];

/** Which lines to show. A text is sent with Enter, because each change reads the lines again. */
export function LogFilters({ filter, onChange }: LogFiltersProps) {
  const [text, setText] = useState(filter.text ?? '');
  return (
    <form
      role="search"
      aria-label="Lines"
      className={styles['filters']}
      onSubmit={(event) => {
        event.preventDefault();
        onChange(searchOfLogs({ ...filter, text }));
      }}
    >
      <SelectField
        label="Level"
        name="level"
        value={filter.level ?? ''}
        onChange={(level) => onChange(searchOfLogs({ level, text }))}
        choices={CHOICES}
      />
      <TextField label="Text" name="text" value={text} onChange={setText} />
      <div className={styles['filter']}>
        <Button type="submit">Filter</Button>
      </div>
    </form>
  );
}
