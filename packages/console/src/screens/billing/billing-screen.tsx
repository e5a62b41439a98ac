import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { readQuery } from '../../api/read.js';
import { isNotFound } from '../../api/query-client.js';
import { RequestButton } from '../../request/request-button.js';
import { RequestForm } from '../../request/request-form.js';
import { TenantHead } from '../../shell/tenant-head.js';
import { ButtonRow } from '../../ui/button-row.js';
import { Facts } from '../../ui/text/facts.js';
import { Problem } from '../../ui/problem.js';
import { Section } from '../../ui/section.js';
import { Time } from '../../ui/text/time.js';

/** Who pays, how, and what invoices say. */
export function BillingScreen() {
  const { tenantId } = useParams({ from: '/signed-in/t/$tenantId/billing' });
  return (
    <>
      <TenantHead title="Payment" />
      <PaymentMethod tenantId={tenantId} />
      <BillingInfo tenantId={tenantId} />
    </>
  );
}

function PaymentMethod({ tenantId }: { tenantId: number }) {
  const { data: tenant } = useQuery(readQuery(tenantId, 'tenants.get', {}));
  const method = useQuery({
    ...readQuery(tenantId, 'billing.getPaymentMethod', {}),
    enabled: tenant?.has_payment_method === true,
  });
  return (
    <Section title="Payment method">
      {tenant?.has_payment_method === false && <p>No payment method yet. A deployment with a price needs one.</p>}
      {method.error && !isNotFound(method.error) && <Problem error={method.error} />}
      {tenant?.has_payment_method === true && method.data && (
        <>
          <Facts
            values={{
              Kind: method.data.provider,
              Reference: method.data.reference,
              Since: <Time at={method.data.created_at} />,
            }}
          />
          <ButtonRow>
            <RequestButton
              tenantId={tenantId}
              request="billing.deletePaymentMethod"
              action="Remove"
              question="Remove the payment method?"
            />
          </ButtonRow>
        </>
      )}
      <RequestForm tenantId={tenantId} request="billing.setPaymentMethod" action="Save the payment method" />
    </Section>
  );
}

function BillingInfo({ tenantId }: { tenantId: number }) {
  const { data, error } = useQuery(readQuery(tenantId, 'billing.getInfo', {}));
  return (
    <Section title="Address of the invoices">
      {error && <Problem error={error} />}
      {data && (
        <RequestForm
          tenantId={tenantId}
          request="billing.setInfo"
          own={{
            tax_id: { label: 'Tax id' },
            'address.line_1': { label: 'Street' },
            'address.line_2': { label: 'Second line' },
          }}
          record={{ ...data }}
          action="Save the address"
        />
      )}
    </Section>
  );
}
