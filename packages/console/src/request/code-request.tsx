import { useState } from 'react';
import { RequestButton } from './request-button.js';

interface CodeRequestProps {
  tenantId: number;
  action: 'delete_tenant' | 'transfer_tenant' | 'delete_division' | 'delete_environment' | 'delete_deployment';
  /** The thing below the organization. */
  ids?: Readonly<Record<string, number>>;
  disabledReason?: string | null;
}

/** Asks for the code that allows one action on a protected thing. */
export function CodeRequest({ tenantId, action, ids = {}, disabledReason = null }: CodeRequestProps) {
  const [isSent, setSent] = useState(false);
  return (
    <>
      <RequestButton
        tenantId={tenantId}
        request="protectionCodes.request"
        input={{ action: { action_type: action, payload: { tenant_id: tenantId, ...ids } } }}
        disabledReason={disabledReason}
        action="Mail a code"
        onDone={() => setSent(true)}
      />
      {isSent && <p role="status">A code was mailed.</p>}
    </>
  );
}
