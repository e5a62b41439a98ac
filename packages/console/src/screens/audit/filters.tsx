import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { auditTypesQuery } from '../../api/queries/organization.js';
import { readQuery } from '../../api/read.js';
import { SelectField, TextField } from '../../ui/form/field.js';
import styles from './audit.module.css';
import type { AuditFilter } from './search.js';

/** The filters are in the address. Another filter begins at the first page. */
export function Filters({ tenantId, filter }: { tenantId: number; filter: AuditFilter }) {
  const navigate = useNavigate();
  const { data: types = [] } = useQuery(auditTypesQuery(tenantId));
  const { data: members } = useQuery(readQuery(tenantId, 'members.list', { results: 100 }));
  const set = (name: keyof AuditFilter, value: string | number): void => {
    const others = Object.entries(filter).filter(([one]) => one !== name);
    const own = value === '' || value === 0 ? [] : [[name, value] as const];
    void navigate({ to: '.', search: Object.fromEntries([...others, ...own]) as AuditFilter });
  };
  const authors = (members?.items ?? []).map(({ id, name, email }) => ({
    value: String(id),
    label: `${name} (${email})`,
  }));
  return (
    <div className={styles['filters']}>
      <SelectField
        label="Type"
        name="type"
        value={filter.type ?? ''}
        onChange={(value) => set('type', value)}
        choices={[
          { value: '', label: 'All' },
          ...types.map((one) => ({ value: one, label: one.replaceAll('_', ' ') })),
        ]}
      />
      <SelectField
        label="Author"
        name="author"
        value={String(filter.author ?? '')}
        onChange={(value) => set('author', Number(value))}
        choices={[{ value: '', label: 'All' }, ...authors]}
      />
      <TextField label="From" name="from" type="date" value={filter.from ?? ''} onChange={(day) => set('from', day)} />
      <TextField label="To" name="to" type="date" value={filter.to ?? ''} onChange={(day) => set('to', day)} />
    </div>
  );
}
