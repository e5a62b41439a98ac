/** Creates the partitions of the audit for this many months before the current one. */
export const pastMonths = (months) => `
do $$
declare month date;
begin
  for back in 1..${months} loop
    month := date_trunc('month', now()) - make_interval(months => back);
    execute format('create table %I partition of audit_entries_365 for values from (%L) to (%L)',
      'audit_entries_365_' || to_char(month, 'YYYY_MM'), month, month + interval '1 month');
  end loop;
end $$`;
