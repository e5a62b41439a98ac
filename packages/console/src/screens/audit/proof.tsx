import { useQuery } from '@tanstack/react-query';
import { readQuery } from '../../api/read.js';
import { Button } from '../../ui/button.js';
import { Disclosure } from '../../ui/overlay/disclosure.js';
import { Facts } from '../../ui/text/facts.js';
import { Problem } from '../../ui/problem.js';
import { Time } from '../../ui/text/time.js';

/** Shows that nobody changed or removed an entry: each seal contains the seal before. */
export function Proof({ tenantId }: { tenantId: number }) {
  const { data, error, isFetching, refetch } = useQuery({
    ...readQuery(tenantId, 'audit.verify', {}),
    enabled: false,
  });
  return (
    <Disclosure title="Prove the audit">
      <p>
        Landlord seals the entries in their order. The proof reads all entries again, and compares them with the seals.
        Keep the last seal at another place: a later proof shows whether the entries up to the seal are still the same.
      </p>
      <p>
        <Button isBusy={isFetching} onPress={() => void refetch()}>
          Prove now
        </Button>
      </p>
      {error && <Problem error={error} />}
      {data && (
        <div role="status">
          <Facts
            values={{
              Result: <strong>{data.valid ? 'Nothing was changed.' : 'The entries were changed.'}</strong>,
              'Sealed up to entry': data.sealed_up_to,
              'Sealed at': data.sealed_at && <Time at={data.sealed_at} />,
              'Last seal': data.seal_hash && <code>{data.seal_hash}</code>,
              'Entries without a seal yet': data.unsealed,
              'First break': data.first_break ? <code>{JSON.stringify(data.first_break)}</code> : null,
            }}
          />
        </div>
      )}
    </Disclosure>
  );
}
