import type { Main } from '@landlord/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readQuery } from '../../api/read.js';
import { exactUsd } from '../../lib/usd.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/overlay/dialog.js';
import { Facts } from '../../ui/text/facts.js';
import { List } from '../../ui/list/list.js';
import { Section } from '../../ui/section.js';
import type { Column } from '../../ui/list/table.js';
import { Time } from '../../ui/text/time.js';
import { CHARGES } from './charges.js';

/** The report of each month. */
export function Reports({ tenantId }: { tenantId: number }) {
  const reports = useQuery(readQuery(tenantId, 'billingReports.list', { results: 36 }));
  const [shown, show] = useState<Main.BillingReportItemView | null>(null);
  const columns: readonly Column<Main.BillingReportItemView>[] = [
    { title: 'Month', cell: ({ month }) => month },
    { title: 'State', cell: ({ final }) => (final ? 'final' : 'still growing') },
    { title: 'Deployments', cell: ({ line_count }) => line_count },
    { title: 'Total', cell: ({ total_usd }) => exactUsd(total_usd) },
    {
      title: 'Actions',
      cell: (report) => (
        <Button opens="dialog" onPress={() => show(report)}>
          Show {report.month}
        </Button>
      ),
    },
  ];
  return (
    <Section title="Reports of the months">
      <List label="Reports" query={reports} columns={columns} keyOf={({ id }) => id} empty="There is no report yet." />
      {shown && <Report tenantId={tenantId} report={shown} onClose={() => show(null)} />}
    </Section>
  );
}

interface ReportProps {
  tenantId: number;
  report: Main.BillingReportItemView;
  onClose: () => void;
}

function Report({ tenantId, report, onClose }: ReportProps) {
  const lines = useQuery(
    readQuery(tenantId, 'billingReports.listLines', { billing_report_id: report.id, results: 100 }),
  );
  const { data } = useQuery(readQuery(tenantId, 'billingReports.get', { billing_report_id: report.id }));
  return (
    <Dialog title={`Report of ${report.month}`} onClose={onClose}>
      {data && (
        <Facts
          values={{
            Drawn: <Time at={data.drawn_at} />,
            Compute: exactUsd(data.compute_usd),
            Storage: exactUsd(data.storage_usd),
            Transfer: exactUsd(data.transfer_usd),
            Total: exactUsd(data.total_usd),
          }}
        />
      )}
      <List
        label={`Charges of ${report.month}`}
        query={lines}
        columns={CHARGES}
        keyOf={({ deployment }) => deployment.id}
        empty="The report has no charge."
      />
    </Dialog>
  );
}
