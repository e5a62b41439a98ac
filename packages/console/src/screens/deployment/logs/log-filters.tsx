import { useState } from 'react';
import type { LogFilter } from '../../../api/queries/logs.js';
import { FILTERS } from '../../../generated/values.js';
import { Button } from '../../../ui/button.js';
import { SelectField, TextField } from '../../../ui/form/field.js';
import { choicesOf } from '../../../ui/list/filters.js';
import { useNodeChoices } from '../node-filter.js';
import styles from './logs.module.css';
import { searchOfLogs } from './search.js';

interface LogFiltersProps {
  filter: LogFilter;
  onChange: (filter: LogFilter) => void;
}

const { level: levels, runtime: runtimes } = FILTERS['logs.list'];
const CHOICES = [
  { name: 'level', label: 'Level', choices: [{ value: '', label: 'every level' }, ...choicesOf(levels)] },
  { name: 'runtime', label: 'Program', choices: [{ value: '', label: 'every program' }, ...choicesOf(runtimes)] },
] as const;

/** Which lines to show. A text is sent with Enter, because each change reads the lines again. */
export function LogFilters({ filter, onChange }: LogFiltersProps) {
  const [text, setText] = useState(filter.text ?? '');
  const nodes = useNodeChoices();
  const change = (changed: Record<string, string>): void => onChange(searchOfLogs({ ...filter, text, ...changed }));
  return (
    <form
      role="search"
      aria-label="Lines"
      className={styles['filters']}
      onSubmit={(event) => {
        event.preventDefault();
        change({});
      }}
    >
      {[
        ...CHOICES,
        { name: 'node', label: 'Node', choices: [{ value: '', label: 'every node' }, ...nodes] } as const,
      ].map(({ name, label, choices }) => (
        <SelectField
          key={name}
          {...{ name, label, choices }}
          value={String(filter[name] ?? '')}
          onChange={(chosen) => change({ [name]: chosen })}
        />
      ))}
      <TextField label="Text" name="text" value={text} onChange={setText} />
      <div className={styles['filter']}>
        <Button type="submit">Filter</Button>
      </div>
    </form>
  );
}
