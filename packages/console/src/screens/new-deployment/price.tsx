import type { Main } from '@landlord/sdk';
import { useQuery } from '@tanstack/react-query';
import { landlordOf } from '../../api/client.js';
import { keepPrevious } from '../../api/keep-previous.js';
import { shapeOf } from '../../request/find-shape.js';
import type { Input } from '../../request/shape.js';
import { usd } from '../../lib/usd.js';
import { Problem } from '../../ui/problem.js';
import styles from './new-deployment.module.css';
import type { Place } from './use-order.js';

interface PriceProps {
  tenantId: number;
  place: Place;
  order: Input;
}

/** The members that decide the price. */
const PRICED = new Set(shapeOf('deployments.preview').members.map(({ member }) => member.split('.')[0]));

/** What the order costs, and why it cannot be placed. The last price stays until the next one is known. */
export function Price({ tenantId, place, order }: PriceProps) {
  const shape = Object.fromEntries(Object.entries(order).filter(([member]) => PRICED.has(member)));
  const { data, error, isFetching } = useQuery({
    queryKey: ['tenant', tenantId, 'preview', place.environment.id, shape],
    queryFn: () =>
      landlordOf(tenantId).deployments.preview({
        ...{ division_id: place.division.id, environment_id: place.environment.id },
        ...(shape as unknown as Main.ShapeDto),
      }),
    enabled: 'region' in shape && 'tier' in shape,
    placeholderData: keepPrevious(tenantId, 'preview'),
    throwOnError: false,
  });
  if (error) return <Problem error={error} />;
  if (!data) return <p className={styles['price']}>Choose a region and a size.</p>;
  const { compute_usd, storage_usd, network_usd } = data.breakdown;
  return (
    <div aria-live="polite" aria-busy={isFetching}>
      <p className={styles['price']}>{usd(data.monthly_total_usd)} a month</p>
      <p className={styles['parts']}>
        {data.nodes} nodes: compute {usd(compute_usd)}, storage {usd(storage_usd)}, estimated transfer{' '}
        {usd(network_usd)}
      </p>
      {data.warnings.map((warning) => (
        <p key={warning}>{warning}</p>
      ))}
      {data.blocked_by.map(({ code, detail }) => (
        <p key={code} className={styles['blocked']}>
          Cannot be ordered: {detail}
        </p>
      ))}
    </div>
  );
}
