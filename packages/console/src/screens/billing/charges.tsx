import type { Main } from '@landlord/sdk';
import { exactUsd } from '../../lib/usd.js';
import type { Column } from '../../ui/list/table.js';

/** What one deployment used and cost. */
export const CHARGES: readonly Column<Main.ChargeLineView>[] = [
  { title: 'Deployment', cell: ({ deployment, code }) => <bdi>{deployment.name || code}</bdi> },
  {
    title: 'Place',
    cell: ({ division, environment }) => (
      <bdi>
        {division.name} / {environment.name}
      </bdi>
    ),
  },
  { title: 'Compute', cell: ({ compute_hours, compute_usd }) => `${compute_hours} h, ${exactUsd(compute_usd)}` },
  {
    title: 'Storage',
    cell: ({ storage_gb_hours, storage_usd }) => `${storage_gb_hours} GB h, ${exactUsd(storage_usd)}`,
  },
  { title: 'Transfer', cell: ({ transfer_gb, transfer_usd }) => `${transfer_gb} GB, ${exactUsd(transfer_usd)}` },
  { title: 'Total', cell: ({ total_usd }) => exactUsd(total_usd) },
];
