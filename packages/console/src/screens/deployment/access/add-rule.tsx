import { useMutation } from '@tanstack/react-query';
import { landlordOf } from '../../../api/client.js';
import { Button } from '../../../ui/button.js';
import { Problem } from '../../../ui/problem.js';
import styles from '../deployment.module.css';
import { DeploymentForm } from '../deployment-request.js';
import { useDeployment } from '../use-deployment.js';
import { withAddress } from './rule.js';

/** Opens the deployment to more addresses. */
export const AddRule = () => (
  <DeploymentForm
    request="accessRules.create"
    own={{
      cidr_blocks: {
        label: 'Addresses',
        hint: 'IPv4 addresses with the length of the network, such as 203.0.113.0/24, each on its line.',
      },
      'rules.broker_tcp': { label: 'Opens TCP', hint: '' },
      'rules.broker_http': { label: 'Opens HTTP and the page for browsers', hint: '' },
      'rules.broker_websocket': { label: 'Opens WebSocket', hint: '' },
      'rules.broker_udp': { label: 'Opens UDP', hint: '' },
      valid_to: { label: 'Until', hint: 'A time such as 2030-01-31T12:00:00Z. Without one, the rule has no end.' },
    }}
    initial={{ rules: { broker_tcp: true, broker_http: true, broker_websocket: true } }}
    action="Add the rule"
  >
    {({ cidr_blocks }, _input, change) => (
      <MyAddress
        onFound={(cidr) =>
          change({ cidr_blocks: withAddress(typeof cidr_blocks === 'string' ? cidr_blocks : '', cidr) })
        }
      />
    )}
  </DeploymentForm>
);

/** Only the Supervisor knows the address from which the person comes. */
function MyAddress({ onFound }: { onFound: (cidr: string) => void }) {
  const { tenantId, deploymentId } = useDeployment();
  const find = useMutation({
    mutationFn: () => landlordOf(tenantId).accessRules.getCaller({ deployment_id: deploymentId }),
    onSuccess: ({ cidr }) => {
      if (cidr !== null) onFound(cidr);
    },
  });
  return (
    <div className={styles['gap']}>
      <Button isBusy={find.isPending} onPress={() => find.mutate()}>
        Add my address
      </Button>
      {find.data?.cidr === null && (
        <p role="status">Your address is {find.data.address}, and rules have IPv4 addresses only.</p>
      )}
      {find.error && <Problem error={find.error} />}
    </div>
  );
}
