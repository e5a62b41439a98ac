import type { Main } from '@landlord/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ownershipTransfersQuery } from '../../api/queries/account.js';
import { Table, type Column } from '../../ui/list/table.js';
import { Time } from '../../ui/text/time.js';
import { TransferAnswer } from './transfer-answer.js';

/** The organizations that are offered to the person. Without an offer, nothing is shown: offers are rare. */
export function ReceivedTransfers() {
  const { data } = useQuery(ownershipTransfersQuery);
  const waiting = (data?.items ?? []).filter(({ status }) => status === 'pending');
  if (waiting.length === 0) return null;
  return (
    <section aria-labelledby="offers">
      <h2 id="offers">Offered organizations</h2>
      <Table label="Offered organizations" columns={COLUMNS} rows={waiting} keyOf={({ id }) => id} />
    </section>
  );
}

const COLUMNS: readonly Column<Main.OwnershipTransferView>[] = [
  { title: 'Organization', cell: (transfer) => <Details {...transfer} /> },
  { title: 'Offered by', cell: ({ owner }) => <bdi>{owner?.name}</bdi> },
  { title: 'Expires', cell: ({ expires_at }) => <Time at={expires_at} /> },
  { title: 'Answer', cell: (transfer) => <TransferAnswer transfer={transfer} /> },
];

const Details = ({ id, tenant }: Main.OwnershipTransferView) => (
  <Link to="/account/ownership-transfers/$transferId" params={{ transferId: id }}>
    <bdi>{tenant?.name}</bdi>
  </Link>
);
