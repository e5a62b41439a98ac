import { RequestButton } from './request-button.js';

interface CodeRequestProps {
  tenantId: number;
  action: 'delete_tenant' | 'transfer_tenant' | 'delete_division' | 'delete_environment' | 'delete_deployment';
  /** The thing below the organization. */
  ids?: Readonly<Record<string, number>>;
}

/** Asks for the code that allows one action on a protected thing. */
export const CodeRequest = ({ tenantId, action, ids = {} }: CodeRequestProps) => (
  <p>
    <RequestButton
      tenantId={tenantId}
      request="protectionCodes.request"
      input={{ action: { action_type: action, payload: { tenant_id: tenantId, ...ids } } }}
      action="Send me a code"
    />{' '}
    The code goes to the address of the organization by mail.
  </p>
);
