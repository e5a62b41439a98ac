import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { landlordOf } from '../../api/client.js';
import { shapeOf, type Choices, type Kind, type Place } from '../../order/order.js';
import { usd } from '../../lib/usd.js';
import { Problem } from '../../ui/problem.js';
import styles from './new-deployment.module.css';

interface PriceProps {
  tenantId: number;
  kind: Kind;
  place: Place | undefined;
  choices: Choices;
}

/** What the order costs, and why it cannot be placed. The last price stays until the next one is known. */
export function Price({ tenantId, kind, place, choices }: PriceProps) {
  const shape = shapeOf(choices);
  const { data, error, isFetching } = useQuery({
    queryKey: ['tenant', tenantId, 'preview', place?.environment.id, shape],
    queryFn: () =>
      landlordOf(tenantId).deployments.preview({
        ...{ division_id: place?.division.id ?? 0, environment_id: place?.environment.id ?? 0 },
        ...shape,
      }),
    enabled: kind === 'managed' && place !== undefined && choices.region !== '',
    placeholderData: keepPreviousData,
    throwOnError: false,
  });
  if (kind === 'free') return <p className={styles['price']}>0 USD a month</p>;
  if (error) return <Problem error={error} />;
  if (!data) return <p className={styles['price']}>The price follows.</p>;
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
